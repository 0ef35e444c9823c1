/** The pictures of README.md are there, small, and of what the command shows today; `npx -y pnpm@12 run pictures` draws them. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { deflateSync, inflateSync } from "node:zlib"
import { expect, it } from "vitest"
import { cases } from "../../../../.config/cases.ts"
import {
  digestOf,
  EDIT_PICTURE,
  REPORT_PICTURE,
  reportPage,
} from "../../../../.ci/docs/pictures.ts"
import { chunk, chunksOf, pngOf, sizeOf, sourceOf, withPalette } from "../../../../.ci/docs/Png.ts"

const root = join(import.meta.dirname, "../../../..")
const MAX_BYTES = 150_000

const shown = [
  ...readFileSync(join(root, "README.md"), "utf8").matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g),
].map(([, alt, path]) => ({ alt: alt!, path: path! }))

it("README shows each picture of the folder, and no other, with a text for people who cannot see it", () => {
  const files = globSync("docs/pictures/*", { cwd: root })
  expect(shown.map(({ path }) => path).toSorted()).toEqual(files.toSorted())
  expect(files).toEqual(expect.arrayContaining([EDIT_PICTURE, REPORT_PICTURE]))
  for (const { alt } of shown) expect(alt.length).toBeGreaterThan(40)
})

it.each(shown.map(({ path }) => path))("%s is small", (path) => {
  expect(readFileSync(join(root, path)).length).toBeLessThanOrEqual(MAX_BYTES)
})

it("the picture of the report is of the page that the demo writes", async () => {
  const png = readFileSync(join(root, REPORT_PICTURE))
  expect(sizeOf(png).width).toBeGreaterThan(1000)
  expect(sourceOf(png)).toBe(digestOf(await reportPage()))
})

it("a picture with a palette has the pixels of the one that it was made from", () => {
  const pictures = fc
    .record({ width: fc.integer({ min: 1, max: 9 }), height: fc.integer({ min: 1, max: 9 }) })
    .chain(({ height, width }) =>
      fc.record({
        width: fc.constant(width),
        height: fc.constant(height),
        filters: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: height, maxLength: height }),
        pixels: fc.uint8Array({ minLength: 3 * width * height, maxLength: 3 * width * height }),
      }),
    )
  fc.assert(
    fc.property(pictures, ({ filters, height, pixels, width }) => {
      const small = withPalette(rgb(pixels, width, height, filters), "page")
      expect(sizeOf(small)).toEqual({ width, height })
      expect(sourceOf(small)).toBe("page")
      expect([...colorsOf(small, width)]).toEqual([...pixels])
    }),
    { numRuns: cases(100) },
  )
})

/** A picture whose rows are predicted as the filters say. */
const rgb = (
  pixels: Uint8Array,
  width: number,
  height: number,
  filters: ReadonlyArray<number>,
): Buffer => {
  const stride = 3 * width
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const at = (x: number, y: number) => (x < 0 || y < 0 ? 0 : pixels[y * stride + x]!)
  const rows = filters.flatMap((filter, y) => [
    filter,
    ...Array.from({ length: stride }, (_, x) => {
      const [a, b, c] = [at(x - 3, y), at(x, y - 1), at(x - 3, y - 1)]
      const nearest = [a, b, c].toSorted(
        (one, other) => Math.abs(a + b - c - one) - Math.abs(a + b - c - other),
      )[0]!
      return (at(x, y) - [0, a, b, (a + b) >> 1, nearest][filter]!) & 255
    }),
  ])
  return pngOf([
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ])
}

const colorsOf = (png: Buffer, width: number): ReadonlyArray<number> => {
  const part = (type: string) => chunksOf(png).find((one) => one.type === type)!.data
  const [palette, indexes] = [part("PLTE"), inflateSync(part("IDAT"))]
  return [...indexes].flatMap((index, position) =>
    position % (width + 1) === 0 ? [] : [...palette.subarray(3 * index, 3 * index + 3)],
  )
}
