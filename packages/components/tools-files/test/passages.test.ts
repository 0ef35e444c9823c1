/** Passages of files: bounded, in place, with nothing lost, and those that fit a search. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as fc from "fast-check"
import { afterAll, assert, describe, it } from "vitest"
import { cases } from "../../../../.config/cases.ts"
import { Folder } from "../src/folder/Folder.ts"
import { Library } from "../src/library/Library.ts"
import { MAX_PASSAGE, passagesOf } from "../src/library/passagesOf.ts"
import { listedTools } from "../src/source.ts"
import { search_files_semantic } from "../src/tools/search_files_semantic.ts"
import { call } from "./fileCall.ts"

const root = mkdtempSync(join(tmpdir(), "passages-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const words = (text: string): ReadonlyArray<string> => text.split(/\s+/).filter((one) => one !== "")

it("every tool says what it returns", () => {
  for (const { name, result } of listedTools) assert.isDefined(result, name)
})

describe("the passages of a text", () => {
  it("are bounded, begin at their line, and have every word outside of headings", () => {
    const line = fc.oneof(
      fc.constantFrom("", "# Returns", "## Costs ##", "one two three", "word ".repeat(300).trim()),
      fc.stringMatching(/^[a-z ]{0,40}$/),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const passages = passagesOf(lines.join("\n"))
        const body = lines.filter((one) => !one.startsWith("#")).join("\n")
        assert.deepStrictEqual(words(passages.map(({ text }) => text).join(" ")), words(body))
        for (const { line: at, text } of passages) {
          assert.isAtMost(text.length, MAX_PASSAGE)
          assert.include(lines[at - 1], words(text)[0]!)
        }
      }),
      { numRuns: cases(100) },
    )
  })

  it("stand under their heading", () => {
    assert.deepStrictEqual(
      passagesOf("Before.\n# Returns\n\nWithin 30 days.\n\nFree.\n# Costs\nNone."),
      [
        { line: 1, heading: "", text: "Before." },
        { line: 4, heading: "Returns", text: "Within 30 days.\n\nFree." },
        { line: 8, heading: "Costs", text: "None." },
      ],
    )
  })

  it("are found by a search, wherever they stand in their file", async () => {
    const filler = Array.from({ length: 30 }, (_, at) => `## Part ${at}\nThe parcel is sent.\n`)
    const answer = "## Refunds\nA refund takes five working days.\n"
    writeFileSync(join(root, "terms.md"), filler.toSpliced(20, 0, answer).join("\n"))
    const library = new Library(await Folder.open(root), { files: 100, bytes: 8192 })
    const found = await search_files_semantic.run({ query: "how long is a refund" }, library, call)
    const [first] = found["passages"] as ReadonlyArray<object>
    assert.deepStrictEqual(first, {
      path: "terms.md",
      line: 62,
      heading: "Refunds",
      text: "A refund takes five working days.",
    })
    const [file] = found["files"] as ReadonlyArray<{ readonly excerpt: string }>
    assert.strictEqual(file?.excerpt, "A refund takes five working days.")
  })
})
