import { gzipSync } from "node:zlib"
import { mkdirSync, symlinkSync } from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "@planloom/plugin/effect"
import { example, failure, folder, given, independently, open, sales } from "../../test/toolCall.ts"

interface Profile {
  readonly rows: number
  readonly columns: ReadonlyArray<JsonObject>
  readonly notes?: ReadonlyArray<string>
  readonly table: { readonly preview: ReadonlyArray<JsonObject> }
}

const profile = async (name: string, content: string | Uint8Array) =>
  (await open(given(name, content))) as unknown as Profile

const types = ({ columns }: Profile) => columns.map(({ type }) => type)
const preview = ({ table }: Profile) => table.preview

describe("opening a file", () => {
  it("agrees with an independent query on the sales table's profile", async () => {
    const found = (await open(sales)) as unknown as Profile
    const [expected] = await independently(
      `SELECT CAST(count(*) AS INTEGER) AS rows, min(revenue) AS low, max(revenue) AS high, CAST(min(date) AS VARCHAR) AS first, CAST(max(date) AS VARCHAR) AS last, list_sort(list(DISTINCT region)) AS regions FROM '${sales}'`,
    )
    assert.strictEqual(found.rows, Number(expected!["rows"]))
    assert.deepStrictEqual(types(found), [
      "string",
      "string",
      "date",
      "number",
      "integer",
      "integer",
    ])
    assert.deepStrictEqual(found.columns[0]!["distinct"], expected!["regions"])
    assert.deepStrictEqual(
      [
        found.columns[2]!["min"],
        found.columns[2]!["max"],
        found.columns[3]!["min"],
        found.columns[3]!["max"],
      ],
      [expected!["first"], expected!["last"], expected!["low"], expected!["high"]],
    )
    assert.strictEqual(found.notes, undefined)
  })

  it("reads quoted headers, semicolons, moments and gaps", async () => {
    const found = (await open(example("support_tickets.csv"))) as unknown as Profile
    const byName = new Map(found.columns.map((column) => [column["name"], column]))
    const [expected] = await independently(
      `SELECT CAST(count(*) - count(satisfaction) AS INTEGER) AS gaps FROM read_csv('${example("support_tickets.csv")}', delim = ';')`,
    )
    assert.strictEqual(byName.get("opened at")!["type"], "date")
    assert.strictEqual(byName.get("satisfaction")!["nulls"], expected!["gaps"])
    assert.deepStrictEqual(byName.get("satisfaction")!["distinct"], [1, 2, 3, 4, 5])
    assert.deepStrictEqual(byName.get("priority")!["distinct"], ["high", "low", "normal", "urgent"])
  })

  it.each([
    ["iso.csv", "d\n2023-01-31\n2023-02-01\n", "2023-01-31"],
    ["german.csv", "d\n31.01.2023\n01.02.2023\n", "2023-01-31"],
    ["british.csv", "d\n31/01/2023\n01/02/2023\n", "2023-01-31"],
    ["american.csv", "d\n01/31/2023\n02/01/2023\n", "2023-01-31"],
    ["words.csv", 'd\n"Jan 31, 2023"\n"Feb 1, 2023"\n', "2023-01-31"],
    ["long.csv", "d\n31 January 2023\n1 February 2023\n", "2023-01-31"],
    ["months.csv", "d\nJan 2023\nFeb 2023\n", "2023-01-01"],
    ["mixed-dates.csv", "d\n2023-01-31\n01.02.2023\nMar 3 2023\n", "2023-01-31"],
  ])("reads dates as in %s", async (name, content, first) => {
    const found = await profile(name, content)
    assert.deepStrictEqual(types(found), ["date"])
    assert.strictEqual(found.columns[0]!["min"], first)
    assert.strictEqual(found.notes, undefined)
  })

  it("notes ambiguous days and months", async () => {
    const found = await profile("ambiguous.csv", "d\n03/01/2023\n04/02/2023\n")
    assert.strictEqual(found.columns[0]!["min"], "2023-01-03")
    assert.match(found.notes![0]!, /^d: day and month are ambiguous/)
  })

  it("reads numbers with currency signs, separators and percent", async () => {
    const found = await profile(
      "money.csv",
      'a,b,c,d\n"$1,200.50",12 %,"1.200,50 €",(3)\n$7,5 %,"7,25 €",4\n',
    )
    assert.deepStrictEqual(types(found), ["number", "number", "number", "number"])
    assert.deepStrictEqual(preview(found), [
      { a: 1200.5, b: 12, c: 1200.5, d: -3 },
      { a: 7, b: 5, c: 7.25, d: 4 },
    ])
  })

  it("counts text in a number column as missing, with a note", async () => {
    const lines = Array.from({ length: 40 }, (_, index) => (index === 30 ? "n/a" : String(index)))
    const found = await profile(
      "mixed.csv",
      `v,w\n${lines.map((line) => `${line},x`).join("\n")}\n`,
    )
    assert.deepStrictEqual(types(found), ["number", "string"])
    assert.strictEqual(found.columns[0]!["nulls"], 1)
    assert.deepStrictEqual(found.notes, [
      'v: 1 value is not a number and counts as missing ("n/a").',
    ])
  })

  it("keeps text with some numbers as text", async () => {
    const found = await profile("codes.csv", "v\nA1\nB2\n12\nC4\n")
    assert.deepStrictEqual(types(found), ["string"])
    assert.deepStrictEqual(found.columns[0]!["distinct"], ["12", "A1", "B2", "C4"])
  })

  it("does not round fractions after many whole numbers", async () => {
    // More than the 4 MiB and 20,480 rows that are sniffed.
    const lines = Array.from({ length: 500_000 }, (_, index) =>
      index === 499_000 ? "1000000,2.5" : `${1_000_000 + (index % 9)},1`,
    )
    const found = await profile("late.csv", `a,b\n${lines.join("\n")}\n`)
    assert.deepStrictEqual(types(found), ["integer", "number"])
    assert.strictEqual(found.columns[1]!["max"], 2.5)
  })

  it("rereads a column as text if later rows do not fit the sampled type", async () => {
    const lines = Array.from({ length: 500_000 }, (_, index) =>
      index === 499_000 ? "n/a,12345678" : "17,12345678",
    )
    const found = await profile("late-text.csv", `a,b\n${lines.join("\n")}\n`)
    assert.deepStrictEqual(types(found), ["number", "integer"])
    assert.deepStrictEqual(found.notes, [
      'a: 1 value is not a number and counts as missing ("n/a").',
    ])
  })

  it.each([
    ["bom.csv", "\ufeffa;b\nü;1\n"],
    ["utf16.csv", Buffer.from("\ufeffa;b\nü;1\n", "utf16le")],
    ["latin.csv", Buffer.from("a;b\nü;1\n", "latin1")],
    ["packed.csv.gz", gzipSync("a;b\nü;1\n")],
    ["tabs.tsv", "a\tb\nü\t1\n"],
    ["objects.json", '[{"a":"ü","b":1}]'],
    ["lines.ndjson", '{"a":"ü","b":1}\n'],
    ['"; drop table x; --.csv', "a,b\nü,1\n"],
    ["with [brackets] and spaces.csv", "a,b\nü,1\n"],
  ])("reads %s", async (name, content) => {
    const found = await profile(name, content)
    assert.deepStrictEqual(preview(found), [{ a: "ü", b: 1 }])
  })

  it("reads Parquet, with nested columns as text and decimals as numbers", async () => {
    const file = path.join(folder, "types.parquet")
    await independently(
      `COPY (SELECT 1::TINYINT AS i, 2.5::DECIMAL(10,2) AS d, DATE '2024-02-29' AS t, {'k': 1} AS s, [1, 2] AS l, true AS b, 9007199254740993::BIGINT AS big, 'x'::BLOB AS blob) TO '${file}'`,
    )
    const found = (await open(file)) as unknown as Profile
    assert.deepStrictEqual(types(found), [
      "integer",
      "number",
      "date",
      "string",
      "string",
      "boolean",
      "integer",
      "string",
    ])
    const row = preview(found)[0]!
    assert.deepStrictEqual([row["i"], row["d"], row["t"], row["b"]], [1, 2.5, "2024-02-29", true])
    // JSON's numbers would make it …992.
    assert.strictEqual(row["big"], "9007199254740993")
  })

  it("profiles a file with a header and no rows", async () => {
    const found = await profile("header.csv", "a,b\n")
    assert.strictEqual(found.rows, 0)
    assert.deepStrictEqual(
      found.columns.map(({ name }) => name),
      ["a", "b"],
    )
  })

  it.each([
    ["nowhere.csv", undefined, "there is no file"],
    ["empty.csv", "", "is empty"],
    ["page.csv", "\n<!DOCTYPE html>\n<html><body>Sign in</body></html>\n", "holds a web page"],
    ["binary.csv", new Uint8Array([1, 2, 0, 3, 255]), "holds binary data"],
    ["broken.csv", 'a,b\n1,"x\n2,y\n3,z,4,5\n', "is not a regular table"],
    ["fake.parquet", "a,b\n1,2\n", "fake.parquet"],
    ["broken.json", '[{"a":1},', "broken.json"],
    ["notes.txt", "hello", "unknown format"],
    ["star*.csv", "a\n1\n", "is a pattern"],
  ])("refuses %s", async (name, content, message) => {
    const file = content === undefined ? path.join(folder, name) : given(name, content)
    const error = await failure("describe", { path: file })
    assert.strictEqual(error._tag, "ToolFailed")
    assert.include(error.message, message)
    assert.notInclude(error.message, "\n")
  })

  it.each([
    "https://example.com/a.csv",
    "s3://bucket/a.parquet",
    "hf://datasets/a.csv",
    "",
    "a\0.csv",
    "/dev/null",
  ])("refuses the address or device %j", async (name) => {
    const error = await failure("describe", { path: name })
    assert.strictEqual(error.class, "invalid_request")
  })

  it("rejects a folder and follows a symbolic link", async () => {
    mkdirSync(path.join(folder, "folder.csv"), { recursive: true })
    const error = await failure("describe", { path: path.join(folder, "folder.csv") })
    assert.include(error.message, "is a folder")
    const link = path.join(folder, "link.csv")
    symlinkSync(given("target.csv", "a\n1\n"), link)
    assert.strictEqual((await open(link))["rows"], 1)
  })
})
