/** Files of rows: what is read, where it stands, and what is told of what cannot be. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as fc from "fast-check"
import { afterAll, assert, describe, it } from "vitest"
import { csvRows } from "./csv.ts"
import { jsonLines } from "./jsonLines.ts"
import type { ReadRow } from "./ReadRow.ts"
import { readRows } from "./readRows.ts"

const folder = mkdtempSync(join(tmpdir(), "planloom-rows-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const all = async (rows: AsyncIterable<ReadRow>): Promise<ReadonlyArray<ReadRow>> => {
  const read: Array<ReadRow> = []
  for await (const row of rows) read.push(row)
  return read
}

const rowsIn = (name: string, text: string | Uint8Array) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return all(readRows(path))
}

async function* pieces(texts: Iterable<string>): AsyncGenerator<string> {
  yield* texts
}

describe("a CSV file", () => {
  it("has its columns' names in the first line, and texts in every other", async () => {
    const text = '\ufeffname,say\r\none,"a, b"\r\n\r\ntwo,"she said ""hi""\nand left"\r\nthree,\n'
    assert.deepStrictEqual(await rowsIn("a.csv", text), [
      { line: 2, value: { name: "one", say: "a, b" } },
      { line: 4, value: { name: "two", say: 'she said "hi"\nand left' } },
      { line: 6, value: { name: "three", say: "" } },
    ])
  })

  it("counts lines as an editor does, also over Windows line breaks in quotes", async () => {
    const text = 'a,b\r\n"1\r\n2","3\r\n"\r\n\r\n4,5\r\n'
    const read = await rowsIn("w.csv", text)
    assert.deepStrictEqual(
      read.map(({ line }) => line),
      [2, 6],
    )
  })

  it("says where a row has other fields, and goes on", async () => {
    const [wrong, right] = await rowsIn("b.csv", "a,b\n1\n1,2")
    assert.deepInclude(wrong, {
      line: 2,
      problem: "the row has 1 field, the first line names 2: a, b",
    })
    assert.deepStrictEqual(right, { line: 3, value: { a: "1", b: "2" } })
  })

  it.each([
    ["a,a\n1,2", 1, "two columns are called a"],
    ["a,\n1,2", 1, "column 2 has no name"],
    ['a\n1\n"open\nand so on', 3, "a quote that begins here is not closed"],
    ['a\n"1" 2\n', 2, "text stands behind a closing quote"],
  ])("that cannot be understood ends there: %j", async (text, line, says) => {
    const last = (await rowsIn("c.csv", text)).at(-1)!
    assert.strictEqual(last.line, line)
    assert.include(last.problem, says)
  })

  it.each([
    ["without a line break", "a,", "the row is longer than a million characters"],
    [
      "in a quote",
      'a\n"',
      "the row is longer than a million characters: is a quote in it not closed?",
    ],
    [
      "in quotes that are closed",
      `a\n${`"${"x".repeat(400_000)}",`.repeat(3)}`,
      "the row is longer",
    ],
  ])("gives no row that is longer than a million characters: %s", async (_, begin, says) => {
    const endless = async function* () {
      yield begin
      for (;;) yield "x".repeat(65_536)
    }
    const [read] = await all(csvRows(endless()))
    assert.isTrue(read!.problem !== undefined && read!.last)
    assert.include(read!.problem, says)
  })

  it("may have any number of empty lines", async () => {
    const read = await all(csvRows(pieces(["a\n", "\n".repeat(1_100_000), "1\n"])))
    assert.deepStrictEqual(read, [{ line: 1_100_002, value: { a: "1" } }])
  })

  it("is read as it was written, wherever the pieces end", async () => {
    const field = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r", " ", "é", "💡") })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(field, field), { maxLength: 6 }),
        fc.array(fc.nat({ max: 60 }), { maxLength: 6 }),
        async (rows, cuts) => {
          const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
          const text = ["a,b", ...rows.map((row) => row.map(quoted).join(","))].join("\r\n")
          const ends = [0, ...cuts.toSorted((x, y) => x - y), text.length]
          const parts = ends.slice(1).map((end, at) => text.slice(ends[at]!, end))
          const read = await all(csvRows(pieces(parts)))
          assert.deepStrictEqual(
            read.map((row) => ("value" in row ? row.value : row.problem)),
            rows.map(([a, b]) => ({ a, b })),
          )
        },
      ),
    )
  })
})

describe("a file of JSON lines", () => {
  it("has a row on each line, and says which line is none", async () => {
    const read = await rowsIn("a.jsonl", '{"a":1}\n\n{"a":\r\n[2]')
    assert.deepStrictEqual(read[0], { line: 1, value: { a: 1 } })
    assert.strictEqual(read[1]!.line, 3)
    assert.match(read[1]!.problem!, /^the line is not JSON: /)
    assert.deepStrictEqual(read[2], { line: 4, value: [2] })
  })

  it("gives no longer line than a million characters", async () => {
    const endless = async function* () {
      for (;;) yield "x".repeat(65_536)
    }
    const [read] = await all(jsonLines(endless()))
    assert.deepInclude(read, { line: 1, last: true })
  })
})

describe("a file of rows", () => {
  it("may be a list in YAML or JSON", async () => {
    assert.deepStrictEqual(await rowsIn("a.yaml", "# said\n- { a: 1 }\n\n- a: 2\n"), [
      { line: 2, value: { a: 1 } },
      { line: 4, value: { a: 2 } },
    ])
    assert.deepStrictEqual(await rowsIn("a.json", '[\n{"a": 1}]'), [{ line: 2, value: { a: 1 } }])
  })

  it.each([
    ["b.yaml", "a: 1", "the file must be a list of rows"],
    ["c.yaml", "- { a: 1", "indent is too small"],
    ["d.txt", "", "rows are read from files that end in .jsonl"],
    ["e.jsonl", Uint8Array.of(0xff, 0xfe, 0x41), "not UTF-8"],
  ])("that is none says so: %s", async (name, text, says) => {
    const [read] = await rowsIn(name, text)
    assert.include(read!.problem!.toLowerCase(), says.toLowerCase())
  })

  it("without anything has no rows", async () => {
    for (const name of ["n.jsonl", "n.csv", "n.yaml"])
      assert.deepStrictEqual(await rowsIn(name, ""), [])
  })
})
