/** Chromium draws the report of README.md, as the script does that writes its picture. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import {
  browser,
  digestOf,
  REPORT_PICTURE,
  reportPage,
  reportPicture,
} from "../../../../.ci/docs/pictures.ts"
import { chunksOf, sizeOf, sourceOf } from "../../../../.ci/docs/Png.ts"

const chromium = browser()
const missing = "missing" in chromium ? chromium.missing : undefined
if (missing !== undefined) console.log(`skipped: ${missing}`)

it.skipIf(missing !== undefined)(
  "draws the page in the size of the committed picture",
  async () => {
    const page = await reportPage()
    const drawn = await reportPicture(page, (chromium as { readonly path: string }).path)
    const committed = readFileSync(join(import.meta.dirname, "../../../..", REPORT_PICTURE))
    expect(sizeOf(drawn)).toEqual(sizeOf(committed))
    expect(sourceOf(drawn)).toBe(digestOf(page))
    const palette = chunksOf(drawn)
      .find(({ type }) => type === "PLTE")!
      .data.toString("hex")
    const colors = new Set(palette.match(/.{6}/g))
    // The background, the card and the text of the page.
    for (const color of ["fbfbfa", "ffffff", "1c2024"]) expect(colors).toContain(color)
    console.log(`${drawn.length} bytes, ${colors.size} colors`)
  },
)
