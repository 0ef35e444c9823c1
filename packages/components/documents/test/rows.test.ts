/** Rows of files as passages: every format, what they can be filtered by, and changes of single rows. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as fc from "fast-check"
import { writeXlsx } from "hucre/xlsx"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { cases, seed } from "../../../../.config/cases.ts"
import { DocumentIndex, type LibrarySources, type RowFile } from "../src/index.ts"

const { signal } = new AbortController()

let folder: string
let opened: Array<DocumentIndex>
let made = 0

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planloom-rows-"))
  opened = []
})

afterEach(() => {
  for (const index of opened) index.close()
  rmSync(folder, { recursive: true, force: true })
})

const write = (name: string, text: string | Uint8Array) => writeFileSync(join(folder, name), text)

const rowsIn = (name: string, more: Partial<RowFile> = {}): RowFile => ({
  file: join(folder, name),
  name,
  ...more,
})

const open = (sources: LibrarySources): DocumentIndex => {
  const index = new DocumentIndex(join(folder, `${made++}.sqlite`), sources)
  opened.push(index)
  return index
}

const synced = async (sources: LibrarySources) => {
  const index = open(sources)
  const report = await index.sync({ signal })
  return { index, report }
}

const talks = [
  { id: "t1", title: "Edge computing", about: "Servers near users, quickly", day: "mon" },
  { id: "t2", title: "Robots that cook", about: 'They say "hello"\nand bake', day: "tue" },
  { id: "t3", title: "Empty day", about: "", day: "" },
]

const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`
const csv = (rows: ReadonlyArray<object>, separator = ",") =>
  [Object.keys(rows[0]!), ...rows.map((row) => Object.values(row))]
    .map((cells) => cells.map(quoted).join(separator))
    .join("\n")

const database = (name: string, rows: ReadonlyArray<object>) => {
  rmSync(join(folder, name), { force: true })
  const file = new DatabaseSync(join(folder, name))
  file.exec(
    "CREATE TABLE talks (id TEXT, title TEXT, about TEXT, day TEXT); CREATE TABLE other (a)",
  )
  for (const row of rows)
    file
      .prepare("INSERT INTO talks VALUES (?, ?, ?, ?)")
      .run(...(Object.values(row) as Array<string>))
  file.close()
}

const workbook = async (name: string, rows: ReadonlyArray<object>) =>
  write(
    name,
    await writeXlsx({
      sheets: [
        { name: "Notes", rows: [["nothing"]] },
        { name: "talks", rows: [Object.keys(rows[0]!), ...rows.map((row) => Object.values(row))] },
      ],
    }),
  )

const formats: ReadonlyArray<
  readonly [RowFile["name"], () => void | Promise<void>, Partial<RowFile>]
> = [
  ["talks.csv", () => write("talks.csv", `\uFEFF${csv(talks)}\n`), {}],
  ["talks.tsv", () => write("talks.tsv", csv(talks, "\t")), {}],
  ["semicolons.csv", () => write("semicolons.csv", csv(talks, ";")), {}],
  ["talks.json", () => write("talks.json", JSON.stringify(talks)), {}],
  [
    "talks.jsonl",
    () => write("talks.jsonl", talks.map((one) => JSON.stringify(one)).join("\n")),
    {},
  ],
  ["talks.sqlite", () => database("talks.sqlite", talks), { table: "talks" }],
  ["talks.xlsx", () => workbook("talks.xlsx", talks), { table: "talks" }],
]

describe.each(formats)("the rows of %s", (name, make, more) => {
  it("are passages with columns and facets", async () => {
    await make()
    const { index, report } = await synced({
      rows: [rowsIn(name, { ...more, key: "id", columns: ["title", "about"] })],
      facets: ["day"],
    })
    expect(report).toMatchObject({ added: [name], unreadable: [], cut: [] })
    expect(index.show(name).map(({ headings, text }) => [headings, text])).toEqual([
      [["t1"], "title: Edge computing\nabout: Servers near users, quickly"],
      [["t2"], 'title: Robots that cook\nabout: They say "hello"\nand bake'],
      [["t3"], "title: Empty day"],
    ])
    const found = (day: string) =>
      index
        .search("robots computing", { limit: 9, filter: { day: [day] } })
        .hits.map(({ headings }) => headings[0])
    expect(found("Mon")).toEqual(["t1"])
    expect(found("tue")).toEqual(["t2"])
    expect(found("")).toEqual([])
    const [best] = index.search("edge", { limit: 9, mode: "faceted" }).hits
    expect(best).toMatchObject({ headings: ["t1"], column: "title" })
    // A column that is not searched is not found.
    expect(index.search("mon", { limit: 9 }).hits).toEqual([])
  })
})

it("rows of a text and a sheet have their lines", async () => {
  write("talks.csv", csv(talks))
  await workbook("talks.xlsx", talks)
  const { index } = await synced({
    rows: [rowsIn("talks.csv"), rowsIn("talks.xlsx", { table: "talks" })],
  })
  const lines = (name: string) => index.show(name).map((one) => one.lines)
  expect(lines("talks.csv")).toEqual([
    [2, 2],
    [3, 4],
    [5, 5],
  ])
  expect(lines("talks.xlsx")).toEqual([
    [2, 2],
    [3, 3],
    [4, 4],
  ])
})

describe("a file of rows", () => {
  it.each([
    ["gone.csv", undefined, {}, "there is no file"],
    ["a.csv", "id,title\n1,Edge\n", { key: "sku" }, "it has no column sku: it has id, title"],
    ["a.csv", "id,title\n1,Edge\n", { columns: ["text"] }, "it has no column text"],
    ["a.json", "{}", {}, "it is not a JSON list of objects"],
    ["a.json", "[1]", {}, "item 1 is not an object"],
    ["a.json", "[", {}, "it is not JSON"],
    ["a.jsonl", '{"a": 1}\n{', {}, "line 2 is not JSON"],
    ["a.sqlite", "no database", { table: "t" }, "it cannot be read"],
    ["a.xlsx", "no workbook", {}, "it is damaged"],
    ["a.txt", "text", {}, "its format is not known"],
  ])("%s with %j is named with the reason", async (name, text, more, reason) => {
    if (text !== undefined) write(name, text)
    const index = open({ rows: [rowsIn(name, more)] })
    if (text === undefined) {
      await expect(index.sync({ signal })).rejects.toThrow(reason)
      return
    }
    const { unreadable } = await index.sync({ signal })
    expect(unreadable).toMatchObject([{ path: name, reason: expect.stringContaining(reason) }])
  })

  it("of a database or a workbook names what it has instead of a missing table", async () => {
    database("talks.sqlite", talks)
    await workbook("talks.xlsx", talks)
    const { report } = await synced({
      rows: [
        rowsIn("talks.sqlite"),
        rowsIn("talks.xlsx", { table: "gone", name: "talks.xlsx#gone" }),
      ],
    })
    expect(report.unreadable).toEqual([
      { path: "talks.sqlite", reason: "`table` names none of its tables: it has other, talks" },
      { path: "talks.xlsx#gone", reason: "it has no sheet gone: it has Notes, talks" },
    ])
  })

  it("is read again when only the log of its database has changed", async () => {
    const file = new DatabaseSync(join(folder, "live.sqlite"))
    file.exec("PRAGMA journal_mode = WAL; CREATE TABLE talks (title)")
    file.exec("INSERT INTO talks VALUES ('one robot')")
    const { index } = await synced({ rows: [rowsIn("live.sqlite", { table: "talks" })] })
    file.exec("INSERT INTO talks VALUES ('two servers')")
    const report = await index.sync({ signal })
    file.close()
    expect(report.changed).toEqual(["live.sqlite"])
    expect(index.search("servers", { limit: 9 }).hits).toHaveLength(1)
  })

  it("beside another source of the same name is refused", async () => {
    write("a.csv", "id\n1\n")
    const index = open({ folder: { root: folder }, rows: [rowsIn("a.csv")] })
    await expect(index.sync({ signal })).rejects.toThrow(
      "two sources of the library have the name a.csv",
    )
  })

  it("with a long row is read in part, and says so", async () => {
    write(
      "a.json",
      JSON.stringify([
        { id: 1, text: "word ".repeat(10_000) },
        { id: 2, text: "b" },
      ]),
    )
    const { index, report } = await synced({ rows: [rowsIn("a.json", { key: "id" })] })
    expect(report.cut[0]?.reason).toMatch(/^1 of its rows are longer than the 16000 characters/)
    expect(index.show("a.json")[0]!.text.length).toBeLessThanOrEqual(16_000)
  })
})

describe("a changed file of rows", () => {
  const row = fc.record({
    id: fc.constantFrom("a", "b", "c", "d"),
    title: fc.constantFrom("edge robots", "robots", "cloud edge", ""),
    day: fc.constantFrom("mon", "tue", ""),
  })
  const file = fc.uniqueArray(row, { selector: ({ id }) => id, minLength: 1, maxLength: 4 })

  it("leaves the index equal to a fresh one, and ids of rows that stay", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(file, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        async (states, keyed) => {
          const sources = {
            rows: [rowsIn("a.csv", keyed ? { key: "id" } : {})],
            facets: ["day"],
          }
          const index = open(sources)
          let before = new Map<string, string>()
          for (const rows of states) {
            write("a.csv", csv(rows))
            await index.sync({ signal })
            const now = new Map(index.show("a.csv").map(({ id, text }) => [text, id]))
            for (const [text, id] of now) if (before.has(text)) expect(before.get(text)).toBe(id)
            before = now
          }
          const { index: fresh } = await synced(sources)
          const options = [{}, { mode: "faceted" as const }, { filter: { day: ["mon"] } }]
          for (const one of options)
            expect(index.search("edge robots", { limit: 9, ...one })).toEqual(
              fresh.search("edge robots", { limit: 9, ...one }),
            )
          expect(index.show("a.csv")).toEqual(fresh.show("a.csv"))
          expect(index.facets()).toEqual(fresh.facets())
        },
      ),
      { numRuns: cases(20), seed },
    )
  })
})

describe("facets of a front matter", () => {
  const of = async (front: string, facets: ReadonlyArray<string>) => {
    write("a.md", `---\n${front}\n---\n\n# A\n\nEdge robots.\n`)
    const { index, report } = await synced({ folder: { root: folder, include: ["*.md"] }, facets })
    const has = (facet: string, value: string) =>
      index.search("robots", { limit: 1, filter: { [facet]: [value] } }).hits.length === 1
    return { has, report }
  }

  it.each([
    ["day: mon", "mon"],
    ['day: "mo\\"n" # comment', 'mo"n'],
    ["day: 'mo''n'", "mo'n"],
    ["other: { a: 1 }\nday: 2026 # a year", "2026"],
    ["day: [tue, 'mon, early']", "mon, early"],
    ["day:\n  - tue\n  - mon\nnext: 1", "mon"],
    ["day:\n- mon\n", "mon"],
    ["a b: |\n  day: tue\nday: mon", "mon"],
  ])("are found in %j", async (front, value) => {
    const { has, report } = await of(front, ["day"])
    expect(has("day", value)).toBe(true)
    expect(has("day", "other")).toBe(false)
    expect(report.cut).toEqual([])
  })

  it.each(["day: { a: 1 }", "day:\n  a: 1", "day: [[1]]", "day: &a mon", "day: |\n  mon"])(
    "that are neither texts nor lists are named: %j",
    async (front) => {
      const { report } = await of(front, ["day"])
      expect(report.cut[0]?.reason).toBe(
        "the front matter's day is neither a text nor a list of texts",
      )
    },
  )

  it("are only those that the library declares, and an empty one is none", async () => {
    const { has } = await of("day: ~\nroom: red", ["day"])
    expect(has("room", "red")).toBe(false)
    expect(has("day", "")).toBe(false)
  })
})
