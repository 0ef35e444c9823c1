/** Reading files: failures, and positions of offsets. */
import { mkdtemp, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { isSourceFile, lineText, positionAt, sourceFile } from "./SourceFile.ts"
import { MAX_BYTES, readSourceFile } from "./readSourceFile.ts"

const reason = async (path: string): Promise<string> => {
  const read = await readSourceFile(path)
  return isSourceFile(read) ? "" : `${read.code} ${read.message}`
}

it("readSourceFile reports the reason why a file cannot be read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "planloom-"))
  await writeFile(join(folder, "large.yaml"), "a".repeat(MAX_BYTES + 1))
  await writeFile(join(folder, "latin1.yaml"), Buffer.from([0x61, 0xe9, 0x0a]))
  expect(await reason(join(folder, "missing.yaml"))).toBe("PL0001 the file does not exist")
  expect(await reason(folder)).toBe("PL0001 this is a folder, not a file")
  expect(await reason(join(folder, "large.yaml"))).toContain("at most 1 MiB is read")
  expect(await reason(join(folder, "latin1.yaml"))).toBe("PL0001 the file is not UTF-8 text")
})

it("a diagnostic prints the path as given, not where the file is", async () => {
  const folder = await mkdtemp(join(tmpdir(), "planloom-"))
  await writeFile(join(folder, "a.yaml"), "a: 1\n")
  const read = await readSourceFile("a.yaml", join(folder, "a.yaml"))
  expect(read).toMatchObject({ path: "a.yaml", text: "a: 1\n" })
})

it("positionAt gives the line and column of every offset", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "é", "\n", "\r\n", "😀") }), (text) => {
      const file = sourceFile("a", text)
      for (let offset = 0; offset <= text.length; offset++) {
        const before = text.slice(0, offset).split("\n")
        expect(positionAt(file, offset)).toEqual({
          line: before.length,
          col: before.at(-1)!.length + 1,
          offset,
        })
      }
      expect(text.split("\n").map((_, index) => lineText(file, index + 1))).toEqual(
        text.split("\n").map((line) => line.replace(/\r$/, "")),
      )
    }),
  )
})
