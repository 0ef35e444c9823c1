/** Writes the generated files of this repository anew: `node .ci/docs.ts`. Tests only compare. */
import { writeFile } from "node:fs/promises"
import { compared, type Page } from "./docs/Page.ts"
import { rulesIndex } from "./docs/rulesIndex.ts"

const write = async (page: Page): Promise<void> => {
  const { file, now, wanted } = await compared(page)
  if (now === wanted) return
  await writeFile(file, wanted)
  console.log(`wrote ${page.path}`)
}

await write(rulesIndex)
// The other pages import the list of rules, so they load after it is written.
const { pages } = await import("./docs/pages.ts")
for (const page of pages) await write(page)
