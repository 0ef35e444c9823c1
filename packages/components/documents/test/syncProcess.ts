/** Syncs a folder in a process of its own, to be killed: `syncProcess.ts <index> <folder>`. Prints a line for each file that is read. */
import { DocumentIndex } from "../src/index.ts"

const [path, root] = process.argv.slice(2)
const index = new DocumentIndex(path!, { folder: { root: root! } })
await index.sync({
  signal: new AbortController().signal,
  onFile: (_, at) => process.stdout.write(`${at}\n`),
})
index.purge()
index.close()
