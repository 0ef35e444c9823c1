import { readdirSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "@planloom/plugin/effect"
import { call, callTable, failure, given, open } from "../../test/toolCall.ts"
import { copiesFolder } from "../duckdb/spill.ts"
import { MAX_IDLE_COPIES } from "../file/copies.ts"

interface Profile {
  readonly rows: number
  readonly columns: ReadonlyArray<JsonObject>
  readonly notes?: ReadonlyArray<string>
  readonly table: JsonObject & { readonly preview: ReadonlyArray<JsonObject> }
}

const profile = async (name: string, content: string | Uint8Array) =>
  (await open(given(name, content))) as unknown as Profile

/** Windows-1252: `ü` is one byte, as in Latin-1; `€` is 0x80, which Latin-1 lacks. */
const windows1252 = (text: string): Uint8Array =>
  Buffer.from(text.replaceAll("€", "\u0080"), "latin1")

const german = "name;price\nMüller;1.234,50 €\nJörg;20,25 €\n"
const prices = [
  { name: "Müller", price: 1234.5 },
  { name: "Jörg", price: 20.25 },
]

describe("encodings of a table file", () => {
  it("reads bytes that are no UTF-8 as Windows-1252, with a note", async () => {
    const found = await profile("euro.csv", windows1252(german))
    assert.deepStrictEqual(found.table.preview, prices)
    assert.deepStrictEqual(found.notes, [
      "The file is not UTF-8; it was read as Windows-1252. If letters look wrong, name its encoding.",
    ])
  })

  it("reads Windows-1252 that begins after the first 64 KiB, and in a packed file", async () => {
    const filler = `${"plain;1\n".repeat(10_000)}`
    const late = await profile("late.csv", windows1252(`name;price\n${filler}Jörg;20\n`))
    assert.strictEqual(late.rows, 10_001)
    assert.include(late.notes![0]!, "Windows-1252")
    const [last] = (
      await callTable(
        "filter",
        { filters: [{ column: "name", op: "=", value: "Jörg" }] },
        late.table,
      )
    ).preview
    assert.deepStrictEqual(last, { name: "Jörg", price: 20 })
    const packed = await profile("euro.csv.gz", gzipSync(windows1252(german)))
    assert.deepStrictEqual(packed.table.preview, prices)
  })

  it.each([
    ["le", Buffer.from(`\ufeff${german}`, "utf16le")],
    ["be", Buffer.from(`\ufeff${german}`, "utf16le").swap16()],
  ])("reads UTF-16 with a byte-order mark (%s) without a note", async (name, content) => {
    const found = await profile(`utf16${name}.csv`, content)
    assert.deepStrictEqual(found.table.preview, prices)
    assert.strictEqual(found.notes, undefined)
  })

  it("reads a declared encoding, and refuses one that does not exist", async () => {
    const file = given(
      "cyrillic.csv",
      Buffer.from([0x61, 0x2c, 0x62, 0x0a, 0xc4, 0xe0, 0x2c, 0x31]),
    )
    const found = await call("describe", { path: file, encoding: "windows-1251" })
    assert.deepStrictEqual((found as unknown as Profile).table.preview, [{ a: "Да", b: 1 }])
    assert.strictEqual(found["notes"], undefined)
    const error = await failure("describe", { path: file, encoding: "klingon" })
    assert.include(error.message, 'unknown encoding "klingon"')
  })
})

describe("tables with irregular lines", () => {
  it("fills short rows and drops long ones, and counts both", async () => {
    const found = await profile(
      "ragged.csv",
      "region,revenue,date\nNorth,10,2023-01-01\nSouth,20\nWest,30,2023-01-03,extra\nEast,40,2023-01-04,,\n",
    )
    assert.deepStrictEqual(found.table.preview, [
      { region: "North", revenue: 10, date: "2023-01-01" },
      { region: "South", revenue: 20, date: null },
      { region: "East", revenue: 40, date: "2023-01-04" },
    ])
    assert.deepStrictEqual(found.notes, [
      "1 row has fewer cells than the header; the missing cells at its end count as missing values (line 3).",
      "1 row has more cells than the header and was left out (line 4).",
    ])
  })

  it.each(["\r\n", "\r"])("reads irregular rows with the line break %j", async (end) => {
    const name = `breaks-${end.length}.csv`
    const found = await profile(name, ["a,b,,", "1,x,,", "2,y,,", "3,z,,4,5", ""].join(end))
    assert.deepStrictEqual(found.table.preview, [
      { a: 1, b: "x" },
      { a: 2, b: "y" },
    ])
    assert.strictEqual(found.notes?.length, 1)
  })

  it("finds a ragged row after the sample of a large file", async () => {
    const wide = "x".repeat(200)
    const lines = Array.from({ length: 25_000 }, (_, index) =>
      index === 24_000 ? `${wide},2,3` : `${wide},2`,
    )
    const found = await profile("late-ragged.csv", `a,b\n${lines.join("\n")}\n`)
    assert.strictEqual(found.rows, 24_999)
    assert.deepStrictEqual(found.notes, [
      "1 row has more cells than the header and was left out (line 24002).",
    ])
  })

  it.each([
    [
      "title.csv",
      "Sales report 2023\nExported 2024-01-05\n\nregion,revenue\nNorth,10\nSouth,20\n",
      3,
    ],
    ["wide-title.csv", "Sales report 2023,,\n,,\nregion,revenue,\nNorth,10,\nSouth,20,\n", 2],
  ])("skips title lines above the header in %s", async (name, content, lines) => {
    const found = await profile(name, content)
    assert.deepStrictEqual(found.table.preview, [
      { region: "North", revenue: 10 },
      { region: "South", revenue: 20 },
    ])
    assert.deepStrictEqual(found.notes, [
      `The first ${lines} lines are above the header and were skipped.`,
    ])
  })

  it("leaves out empty columns and rows at the end, and keeps unnamed columns with values", async () => {
    const empty = await profile("trailing.csv", "region,revenue,,\nNorth,10,,\nSouth,20,,\n,,,\n")
    assert.deepStrictEqual(empty.table.preview, [
      { region: "North", revenue: 10 },
      { region: "South", revenue: 20 },
    ])
    assert.strictEqual(empty.notes, undefined)
    const unnamed = await profile("unnamed.csv", "region,revenue,,\nNorth,10,x,\nSouth,20,,\n")
    assert.deepStrictEqual(unnamed.table.preview[0], { region: "North", revenue: 10, column2: "x" })
    assert.deepStrictEqual(unnamed.notes, ["Column 3 has no name; it is called column2."])
  })

  it("names a repeated header apart, with a note", async () => {
    const found = await profile("repeated.csv", "region,revenue,revenue\nNorth,10,11\n")
    assert.deepStrictEqual(found.table.preview, [{ region: "North", revenue: 10, revenue_1: 11 }])
    assert.deepStrictEqual(found.notes, [
      "Column 3 repeats the name revenue; it is called revenue_1.",
    ])
  })

  it("refuses a file most of whose lines do not fit", async () => {
    const file = given("prose.csv", "a,b\n1,2\n1,2,3\n1,2,3,4\n1,2,3,4,5\n")
    const error = await failure("describe", { path: file })
    assert.include(error.message, "is not a regular table")
  })
})

describe("values that may not mean what they say", () => {
  const lines = (...last: ReadonlyArray<string>) =>
    [...Array.from({ length: 20 }, (_, index) => `${index}.5,2024-01-${index + 10}`), ...last].join(
      "\n",
    )

  it("notes placeholders for missing values far from all others", async () => {
    const found = await profile(
      "sentinel.csv",
      `temp,day\n${lines("-999,1900-01-01", "-999,1900-01-01")}\n`,
    )
    assert.deepStrictEqual(found.notes, [
      "temp: 2 values are -999, far from all others; they may stand for missing values, but count as they are.",
      "day: 2 values are 1900-01-01, far from all others; they may stand for missing values, but count as they are.",
    ])
  })

  it("takes the same numbers among others for values", async () => {
    const amounts = Array.from({ length: 100 }, (_, index) => `${index * 10 + 9}`)
    const found = await profile("amounts.csv", `n\n${[...amounts, "999"].join("\n")}\n`)
    assert.strictEqual(found.notes, undefined)
  })

  it("notes the century that years of two digits were read in", async () => {
    const found = await profile("century.csv", "d,n\n7/13/62,1\n12/25/99,2\n")
    assert.deepStrictEqual(found.notes, ["d: years have two digits and were read as 1999 to 2062."])
  })
})

describe("copies of converted files", () => {
  it("are removed beyond the last few, and made again when a later step needs one", async () => {
    const files = Array.from({ length: MAX_IDLE_COPIES + 2 }, (_, at) => `copy${at}.csv`)
    const found = []
    for (const name of files)
      found.push(await profile(name, windows1252(`name;price\nJörg ${name};9\n`)))
    assert.isAtMost(readdirSync(copiesFolder()).length, MAX_IDLE_COPIES)
    const filters = [{ column: "name", op: "=", value: "Jörg copy0.csv" }]
    const kept = await callTable("filter", { filters }, found[0]!.table)
    assert.deepStrictEqual(kept.preview, [{ name: "Jörg copy0.csv", price: 9 }])
  })
})
