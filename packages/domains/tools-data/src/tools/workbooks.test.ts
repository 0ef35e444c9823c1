import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "@planloom/plugin/effect"
import { writeXlsx, type WriteSheet } from "hucre/xlsx"
import { call, callTable, failure, given } from "../../test/toolCall.ts"

interface Profile {
  readonly rows: number
  readonly notes?: ReadonlyArray<string>
  readonly table: JsonObject & { readonly preview: ReadonlyArray<JsonObject> }
}

const at = (...[year, month, ...rest]: [number, number, number, number?, number?]) =>
  new Date(Date.UTC(year, month - 1, ...rest))

const workbook = async (name: string, ...sheets: ReadonlyArray<WriteSheet>) =>
  given(name, await writeXlsx({ sheets: [...sheets] }))

const profile = async (path: string, params: JsonObject = {}) =>
  (await call("describe", { path, ...params })) as unknown as Profile

const plain = {
  name: "Plain",
  rows: [
    ["a", "b"],
    [1, "x"],
  ],
}

describe("Excel workbooks", () => {
  it("keeps days, moments, numbers, truth values and codes of a sheet under a title", async () => {
    const file = await workbook("sales.xlsx", {
      name: "Sales",
      rows: [
        ["Sales 2023"],
        [],
        ["day", "opened", "revenue", "paid", "zip"],
        [at(2023, 1, 31), at(2023, 1, 31, 13, 30), 10.5, true, "00123"],
        [at(2023, 2, 1), at(2023, 2, 1), 0.1, false, "91234"],
        [null, null, 20, null, null],
      ],
    })
    const found = await profile(file)
    assert.deepStrictEqual(found.table.preview, [
      { day: "2023-01-31", opened: "2023-01-31T13:30:00", revenue: 10.5, paid: true, zip: "00123" },
      { day: "2023-02-01", opened: "2023-02-01T00:00:00", revenue: 0.1, paid: false, zip: "91234" },
      { day: null, opened: null, revenue: 20, paid: null, zip: null },
    ])
    assert.deepStrictEqual(found.notes, [
      "The first 2 lines are above the header and were skipped.",
    ])
    const total = await callTable("aggregate", { metrics: ["revenue"], agg: "sum" }, found.table)
    assert.deepStrictEqual(total.preview, [{ revenue: 30.6 }])
  })

  it("reads the first visible sheet, or the one that is named", async () => {
    const hidden = { name: "Hidden", rows: [["x"], [1]], hidden: true }
    const second = { name: "Second", rows: [["c"], [3], [4]] }
    const file = await workbook("sheets.xlsx", hidden, plain, second)
    const first = await profile(file)
    assert.deepStrictEqual(first.table.preview, [{ a: 1, b: "x" }])
    assert.deepStrictEqual(first.notes, [
      "The workbook has the sheets Plain, Second; Plain was read.",
    ])
    const named = await profile(file, { sheet: "Second" })
    assert.deepStrictEqual(named.table.preview, [{ c: 3 }, { c: 4 }])
    assert.strictEqual(named.notes, undefined)
    const error = await failure("describe", { path: file, sheet: "Third" })
    assert.include(error.message, 'has no sheet "Third"; it has Plain, Second')
  })

  it("repeats merged cells down their rows, and counts formulas without a result", async () => {
    const file = await workbook("merged.xlsx", {
      name: "S",
      rows: [
        ["region", "n"],
        ["North", 1],
        [null, 2],
        ["South", 3],
      ],
      merges: [{ startRow: 1, startCol: 0, endRow: 2, endCol: 0 }],
      cells: new Map([
        ["4,1", { formula: "SUM(B2:B4)" }],
        ["4,0", { value: "East" }],
      ]),
    })
    const found = await profile(file)
    assert.deepStrictEqual(found.table.preview, [
      { region: "North", n: 1 },
      { region: "North", n: 2 },
      { region: "South", n: 3 },
      { region: "East", n: null },
    ])
    assert.match(found.notes!.join("\n"), /merged cells.*\n1 formula has no stored result/s)
  })

  it("takes the stored result of a formula that gives text without a note", async () => {
    const file = await workbook("text.xlsx", {
      name: "S",
      rows: [
        ["n", "code"],
        [1, null],
      ],
      cells: new Map([["1,1", { formula: 'A2&"x"', formulaResult: "1x" }]]),
    })
    const found = await profile(file)
    assert.deepStrictEqual(found.table.preview, [{ n: 1, code: "1x" }])
    assert.strictEqual(found.notes, undefined)
  })

  it("refuses a workbook that unpacks to more than its limit", async () => {
    const bytes = Buffer.from(await writeXlsx({ sheets: [plain] }))
    const entry = bytes.lastIndexOf(Buffer.from("PK\u0001\u0002", "latin1"))
    bytes.writeUInt32LE(0xff_ff_ff_f0, entry + 24)
    const error = await failure("describe", { path: given("bomb.xlsx", bytes) })
    assert.include(error.message, "unpacks to more than 2 GiB")
  })

  it.each([
    ["named-csv.csv", writeXlsx({ sheets: [plain] }), "a workbook needs the ending .xlsx"],
    ["text.xlsx", "a,b\n1,2\n", "is not an Excel workbook"],
    ["cut.xlsx", Buffer.from("PK\u0003\u0004cut off"), "is not an Excel workbook"],
    ["old.csv", Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0]), "save it as .xlsx or CSV"],
    ["blank.xlsx", writeXlsx({ sheets: [{ name: "S", rows: [] }] }), "has no values"],
  ])("refuses %s", async (name, content, message) => {
    const error = await failure("describe", { path: given(name, await content) })
    assert.include(error.message, message)
  })
})

describe("codes with leading zeros", () => {
  it("keeps numbers with leading zeros as text in a CSV file", async () => {
    const found = await profile(given("zips.csv", "zip,n\n01234,1\n90210,2\n"))
    assert.deepStrictEqual(found.table.preview, [
      { zip: "01234", n: 1 },
      { zip: "90210", n: 2 },
    ])
  })
})
