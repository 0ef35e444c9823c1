/** Writes the generated files of this repository anew: `node .ci/docs.ts`. Tests only compare. */
import { writeFile } from "node:fs/promises"
import { compared, pages } from "./docs/pages.ts"

for (const page of pages) {
  const { file, now, wanted } = await compared(page)
  if (now === wanted) continue
  await writeFile(file, wanted)
  console.log(`wrote ${page.path}`)
}
