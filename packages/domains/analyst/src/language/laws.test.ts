import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import { columnTypes } from "@planloom/tables"
import type { Column, DataProfile } from "@planloom/tables"
import { profile } from "../../test/sales.ts"
import type { Requirements } from "../requirements/Requirements.ts"
import { listRequirements } from "../requirements/listRequirements.ts"
import { extractRequirements } from "./extractRequirements.ts"
import { cases } from "../../../../../.config/cases.ts"

/** Pieces of questions, joined at random: more of them have a meaning than random letters. */
const pieces = fc.constantFrom(
  "revenue",
  "sales",
  "units",
  "returns",
  "profit",
  "average",
  "total",
  "median",
  "share of",
  "by region",
  "by category",
  "per month",
  "for each region",
  "in each category",
  "over time",
  "North",
  "South",
  "Toys",
  "Office Supplies",
  "vs",
  "versus",
  "and",
  "or",
  ",",
  "/",
  "-",
  "in 2023",
  "Q1",
  "Q2 2023",
  "last quarter of 2023",
  "March",
  "May",
  "to June 2023",
  "H1 2024",
  "between",
  "since",
  "before",
  "excluding",
  "not",
  "only",
  "without",
  "no",
  "except the",
  "top",
  "bottom",
  "5",
  "3",
  "10,000",
  "1.5k",
  "best",
  "highest",
  "which region",
  "when was",
  "chart",
  "as a table",
  "bar chart",
  "no chart",
  "histogram",
  "anomalies",
  "trend",
  "forecast",
  "over",
  "under",
  "at least",
  "is missing",
  "with",
  "where",
  "next 6 months",
  "last year",
  "7 day moving average",
  "of",
  "the",
  "compare",
  "compared with",
  "weekday",
  "year to date",
  "revnue",
  "reigon",
  "xyzzy",
  "customers",
  "how many",
  "orders",
  "what",
  "?",
  "!",
  "(",
  ")",
)
const sentence = fc.array(pieces, { maxLength: 9 }).map((parts) => parts.join(" "))
const anything = fc.oneof(sentence, fc.string({ unit: "binary", maxLength: 80 }), fc.string())

const odd = fc.constantFrom(
  "__proto__",
  "constructor",
  "toString",
  "",
  " ",
  '"; drop table x; --',
  "a.b",
  "Größe (m²)",
  "日付",
  "date",
  "Year",
  "region",
  "Total Revenue",
  "total",
  "count",
  "by",
  "in",
  "order_id",
)
const column: fc.Arbitrary<Column> = fc
  .record(
    {
      name: fc.oneof(odd, fc.string({ maxLength: 12 })),
      type: fc.constantFrom(...columnTypes),
      distinct: fc.array(fc.oneof(odd, fc.integer(), fc.boolean(), fc.constant(null))),
      min: fc.constantFrom(0, 1, "2020-01-01", "nonsense"),
      max: fc.constantFrom(9, "2024-12-31", "nonsense"),
    },
    { requiredKeys: ["name", "type"] },
  )
  .map((one) => one as Column)
const tables: fc.Arbitrary<DataProfile> = fc.record({
  columns: fc.uniqueArray(column, { selector: ({ name }) => name, maxLength: 6 }),
  rows: fc.nat(),
})

const columnsIn = (found: Requirements): ReadonlyArray<string> => [
  ...found.metrics,
  ...found.group_by,
  ...(found.time.column === "" ? [] : [found.time.column]),
  ...found.constraints.flatMap((one) => {
    if (one.kind === "filter") return [one.column]
    return one.kind === "top_n" ? [one.by, one.per].filter((name) => name !== undefined) : []
  }),
]

const said = (question: string) => {
  const { requirements, confidence } = extractRequirements(question, profile)
  return {
    ...requirements,
    unknown: requirements.unknown.map((phrase) => phrase.toLowerCase()),
    confidence,
  }
}

describe("extraction, by its laws", () => {
  it("never throws for any text and table, and names only existing columns", () => {
    fc.assert(
      fc.property(anything, tables, (question, table) => {
        const { requirements, confidence } = extractRequirements(question, table)
        const parts = requirements.constraints.flatMap((one) =>
          one.kind === "time_part" ? [one.as] : [],
        )
        const known = new Set([...table.columns.map(({ name }) => name), ...parts])
        expect(columnsIn(requirements).filter((name) => !known.has(name))).toEqual([])
        expect(confidence).toBeGreaterThanOrEqual(0)
        expect(confidence).toBeLessThanOrEqual(1)
        const ids = listRequirements(requirements).map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
      }),
      { numRuns: cases(200, 7.5) },
    )
  })

  it("gives equal results for equal questions", () => {
    fc.assert(
      fc.property(anything, (question) => {
        expect(extractRequirements(question, profile)).toEqual(
          extractRequirements(question, profile),
        )
      }),
      { numRuns: cases(200, 3) },
    )
  })

  it("ignores case, spaces and a question mark", () => {
    fc.assert(
      fc.property(sentence, (question) => {
        const plain = said(question)
        expect(said(`${question}?`)).toEqual(plain)
        expect(said(`  ${question.replaceAll(" ", " \t\n ")}  `)).toEqual(plain)
        expect(said(question.toUpperCase())).toEqual(plain)
        expect(said(question.toLowerCase())).toEqual(plain)
      }),
      { numRuns: cases(100, 10) },
    )
  })

  it("lists every unknown word in unknown or notes", () => {
    fc.assert(
      fc.property(sentence, (question) => {
        const found = extractRequirements(`${question} qwertzuiop`, profile)
        const mentioned = [...found.requirements.unknown, ...found.notes].join(" ")
        expect(mentioned).toContain("qwertzuiop")
      }),
      { numRuns: cases(200, 3) },
    )
  })
})
