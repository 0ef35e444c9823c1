import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Json } from "@planloom/plugin/effect"
import { cases } from "../../../../../.config/cases.ts"
import { styleOf } from "../terminal/Style.ts"
import { fileOf } from "./outputFile.ts"
import { showOutputs } from "./outputs.ts"

const show = { style: styleOf(false), width: 60 }

const sales = {
  type: "table",
  title: "Revenue by region",
  columns: [
    { name: "region", type: "string" },
    { name: "year", type: "integer" },
    { name: "revenue", type: "number", label: "Revenue" },
  ],
  rows: 31,
  preview: [
    { region: "North", year: 2024, revenue: 1234567.891 },
    { region: "South\u001b[2J", year: 2024, revenue: null },
  ],
  notes: ["2 rows without a region"],
}

describe("outputs of a run", () => {
  it("that are a single text are printed without a title", () => {
    expect(showOutputs({ answer: "All is well." }, new Map(), show)).toBe("All is well.")
  })

  it("are printed in order: text, tables with aligned numbers, paths of files", () => {
    const outputs = {
      answer: "Revenue grew.",
      table: sales,
      chart: { type: "chart", svg: "<svg/>" },
    }
    const files = new Map([["chart", "out/chart.svg"]])
    const written = showOutputs({ table: sales }, new Map([["table", "out/table.csv"]]), show)
    expect(written).toContain("first 2 of 31 rows; all of them are in out/table.csv")
    expect(showOutputs(outputs, files, show)).toMatchInlineSnapshot(`
      "Revenue grew.

      Revenue by region
      region  year       Revenue
      ──────  ────  ────────────
      North   2024  1,234,567.89
      South   2024             –
      first 2 of 31 rows; --out <folder> writes all of them
      note: 2 rows without a region

      chart  out/chart.svg"
    `)
  })

  it("that are empty are printed last, each on a line", () => {
    const outputs = { chart: null, answer: "No chart.", rows: [], by: {} }
    expect(showOutputs(outputs, new Map([["report", "a.html"]]), show)).toBe(
      "No chart.\n\nchart   null\nrows    []\nby      {}\nreport  a.html",
    )
    expect(showOutputs({ chart: null }, new Map(), show)).toBe("chart  null")
  })

  it("that are lists of texts are printed as lines", () => {
    const outputs = {
      answer: "Grew.",
      caveats: ["one row\nwas dropped", "read as sales"],
    }
    const text = showOutputs(outputs, new Map(), show)
    expect(text).toContain("- one row was dropped\n- read as sales")
  })

  it("are printed whole, whatever other outputs hold", () => {
    const word = fc.constantFrom(
      "1",
      "3",
      "12",
      "bug",
      "refund",
      "a bug",
      "Note: bug.",
      "customer 3",
    )
    const outputs = fc.dictionary(
      fc.stringMatching(/^out_[a-z]{1,3}$/),
      fc.oneof(
        word,
        fc.array(word, { minLength: 1 }),
        fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" ")),
      ),
      { minKeys: 1 },
    )
    fc.assert(
      fc.property(outputs, (values) => {
        const lines = showOutputs(values, new Map(), show).split("\n")
        for (const value of Object.values(values)) {
          const expected = Array.isArray(value) ? value.map((text) => `- ${text}`) : [value]
          for (const line of expected) {
            const at = lines.indexOf(line)
            expect(at, JSON.stringify(values)).not.toBe(-1)
            // Each printed line belongs to one value.
            lines.splice(at, 1)
          }
        }
      }),
      { numRuns: cases(200) },
    )
  })

  it("of tables leave out a note only if it is a whole line of a text", () => {
    const noted = { ...sales, notes: ["read as sales", "12"] }
    const text = showOutputs(
      { answer: "Note: read as sales.\n12 rows.", sales: noted },
      new Map(),
      show,
    )
    expect(text.match(/read as sales/g)).toHaveLength(1)
    expect(text).toContain("note: 12")
  })

  it("of other types are printed as indented lines", () => {
    const groups = [
      { name: "north", ids: [1, 2], none: [] },
      { name: "a\nb", ids: [], at: { x: null } },
    ]
    expect(showOutputs({ rows: 3, groups }, new Map(), show)).toMatchInlineSnapshot(`
      "rows
      3

      groups
      - name: north
        ids:
          - 1
          - 2
        none: []
      - name:
          a
          b
        ids: []
        at:
          x: null"
    `)
  })

  it("of other types keep every word of their texts, in the width of the terminal", () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/)
    const { groups } = fc.letrec((tie) => ({
      groups: fc.oneof(
        { maxDepth: 3 },
        fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(" ")),
        fc.integer(),
        fc.array(tie("groups"), { maxLength: 4 }),
        fc.dictionary(word, tie("groups"), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(groups, (value) => {
        const lines = showOutputs({ value: { value } as Json }, new Map(), show).split("\n")
        const said = new Set(lines.flatMap((line) => line.split(/[ :]+/)))
        for (const text of JSON.stringify(value).match(/[a-z]+|-?\d+/g) ?? [])
          expect([...said]).toContain(text)
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(show.width)
      }),
      { numRuns: cases(200) },
    )
  })

  it("are written to files if they are charts or reports, others only with --out", () => {
    expect(fileOf({ type: "chart", svg: "<svg/>" }, false)).toEqual({
      ending: "svg",
      text: "<svg/>",
    })
    expect(fileOf("<!doctype html><p>", false)?.ending).toBe("html")
    expect(fileOf("text", false)).toBeUndefined()
    expect(fileOf("text", true)).toEqual({ ending: "md", text: "text\n" })
    expect(fileOf(sales, true)?.ending).toBe("json")
  })
})
