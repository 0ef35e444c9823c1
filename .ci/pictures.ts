/** Draws the report of README.md anew: `node .ci/pictures.ts`. Needs Chromium, from the PATH or Debian's package. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { browser, REPORT_PICTURE, reportPage, reportPicture } from "./docs/pictures.ts"

const program = browser()
if ("missing" in program) {
  console.error(program.missing)
  process.exitCode = 1
} else {
  await writeFile(
    join(import.meta.dirname, "..", REPORT_PICTURE),
    await reportPicture(await reportPage(), program.path),
  )
  console.log(`wrote ${REPORT_PICTURE}`)
}
