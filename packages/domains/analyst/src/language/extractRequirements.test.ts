import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import type { DataProfile } from "@planloom/tables"
import { profile } from "../../test/sales.ts"
import { defaultVocabulary, extendVocabulary } from "../index.ts"
import { noRequirements } from "../requirements/Requirements.ts"
import type { Requirements } from "../requirements/Requirements.ts"
import { extractRequirements } from "./extractRequirements.ts"
import { cases } from "../../../../../.config/cases.ts"

const read = (question: string, table: DataProfile = profile) =>
  extractRequirements(question, table)

const expects = (question: string, parts: Partial<Requirements>, table: DataProfile = profile) => {
  const expected = { ...noRequirements, ...parts }
  const found = read(question, table).requirements
  // Which analysis was named first does not matter.
  const sorted = (one: Requirements) => ({ ...one, analysis: one.analysis.toSorted() })
  expect(sorted(found)).toEqual(sorted(expected))
}

/** Whether every word has a use and nothing is left to ask. */
const isUnderstood = (question: string, table: DataProfile = profile): boolean => {
  const found = read(question, table)
  return found.question === undefined && found.refusal === undefined
}

const filter = (column: string, op: string, value?: unknown) =>
  ({ kind: "filter", column, op, ...(value === undefined ? {} : { value }) }) as never
const top = (n: number, order: "asc" | "desc" = "desc") => ({ kind: "top_n", n, order }) as const
const no = (output: "chart" | "table" | "text") => ({ kind: "exclude", output }) as const
const kind = (chart: string) => ({ kind: "chart_type", chart }) as const
const monthly = { column: "date", grain: "month" } as const
const yearly = { column: "date", grain: "year" } as const

const metrics = ["revenue"]
const byRegion = ["region"]
const byCategory = ["product_category"]

const sales: ReadonlyArray<readonly [string, Partial<Requirements>]> = [
  ["total revenue by region", { metrics, group_by: byRegion, analysis: ["total"] }],
  [
    "How did revenue develop by region each month, and were there any anomalies?",
    { metrics, group_by: byRegion, time: monthly, analysis: ["trend", "anomaly"] },
  ],
  [
    "avarage revnue per reigon as a table",
    { metrics, group_by: byRegion, analysis: ["average"], outputs: ["table"] },
  ],
  ["What were our SALES for each Product Category?", { metrics, group_by: byCategory }],
  [
    "average and median units by category",
    { metrics: ["units"], group_by: byCategory, analysis: ["average", "median"] },
  ],
  [
    "revenue and units by region and product category",
    { metrics: ["revenue", "units"], group_by: ["region", "product_category"] },
  ],
  [
    "minimum and maximum revenue by region",
    { metrics, group_by: byRegion, analysis: ["minimum", "maximum"] },
  ],
  ["what is the highest revenue", { metrics, analysis: ["maximum"] }],
  [
    "monthly sales trend for North only, no chart",
    {
      metrics,
      time: monthly,
      analysis: ["trend"],
      constraints: [no("chart"), filter("region", "=", "North")],
    },
  ],
  [
    "sales in Office Supplies since March 2023, quarterly, without a graph",
    {
      metrics,
      time: { column: "date", grain: "quarter" },
      constraints: [
        no("chart"),
        filter("date", ">=", "2023-03"),
        filter("product_category", "=", "Office Supplies"),
      ],
    },
  ],
  [
    "revenue per quarter over the years",
    { metrics, time: { column: "date", grain: "quarter" }, analysis: ["trend"] },
  ],
  [
    "only 2023: units by region",
    { metrics: ["units"], group_by: byRegion, constraints: [filter("date", "=", "2023")] },
  ],
  [
    "revenue by region excluding Toys and Furniture",
    {
      metrics,
      group_by: byRegion,
      constraints: [filter("product_category", "not_in", ["Toys", "Furniture"])],
    },
  ],
  [
    "revenue everywhere but not in North",
    { metrics, constraints: [filter("region", "!=", "North")] },
  ],
  [
    "compare North vs South revenue",
    {
      metrics,
      group_by: byRegion,
      analysis: ["compare"],
      constraints: [filter("region", "in", ["North", "South"])],
    },
  ],
  [
    "revenue 2022 vs 2023 by region",
    {
      metrics,
      group_by: byRegion,
      time: yearly,
      analysis: ["compare"],
      constraints: [filter("date", "in", ["2022", "2023"])],
    },
  ],
  [
    "revenue by week since October 2024",
    {
      metrics,
      time: { column: "date", grain: "week" },
      constraints: [filter("date", ">=", "2024-10")],
    },
  ],
  ["revenue in Q2 2023", { metrics, constraints: [filter("date", "=", "2023-Q2")] }],
  [
    "revenue between January 2023 and March 2023",
    { metrics, constraints: [filter("date", "between", ["2023-01", "2023-03"])] },
  ],
  [
    "revenue from 2022 to 2023 by region",
    { metrics, group_by: byRegion, constraints: [filter("date", "between", ["2022", "2023"])] },
  ],
  [
    "units before 2023-05-17",
    { metrics: ["units"], constraints: [filter("date", "<", "2023-05-17")] },
  ],
  [
    "top 5 products by sales",
    { metrics, group_by: byCategory, analysis: ["ranking"], constraints: [top(5)] },
  ],
  [
    "the three worst regions by revenue",
    { metrics, group_by: byRegion, analysis: ["ranking"], constraints: [top(3, "asc")] },
  ],
  [
    "Which region has the highest revenue?",
    { metrics, group_by: byRegion, analysis: ["ranking"], constraints: [top(1)] },
  ],
  [
    "Which month had the lowest returns?",
    { metrics: ["returns"], time: monthly, analysis: ["ranking"], constraints: [top(1, "asc")] },
  ],
  [
    "how many orders have more than 10 units?",
    { analysis: ["count"], constraints: [filter("units", ">", 10)] },
  ],
  [
    "How many units were sold in Q2 2023?",
    { metrics: ["units"], analysis: ["total"], constraints: [filter("date", "=", "2023-Q2")] },
  ],
  ["how many different regions are there", { metrics: ["region"], analysis: ["distinct"] }],
  ["number of records per region", { group_by: byRegion, analysis: ["count"] }],
  [
    "revenue where units is between 5 and 20",
    { metrics, constraints: [filter("units", "between", [5, 20])] },
  ],
  [
    "rows where revenue >= 1,000 and region = East",
    {
      analysis: ["filter"],
      constraints: [filter("revenue", ">=", 1000), filter("region", "=", "East")],
    },
  ],
  [
    "revenue of orders with at least 1.5k units",
    { metrics, constraints: [filter("units", ">=", 1500)] },
  ],
  [
    "rows with missing returns",
    { analysis: ["filter"], constraints: [filter("returns", "is_null")] },
  ],
  ["distribution of units", { metrics: ["units"], analysis: ["distribution"] }],
  [
    "is there a correlation between units and returns",
    { metrics: ["units", "returns"], analysis: ["correlation"] },
  ],
  ["share of revenue by region", { metrics, group_by: byRegion, analysis: ["share"] }],
  ["give me an overview of the data", { analysis: ["summary"] }],
  [
    "forecast revenue for the next month",
    {
      metrics,
      time: monthly,
      analysis: ["forecast"],
      constraints: [{ kind: "horizon", n: 1 }],
    },
  ],
  [
    "bar chart of revenue by category",
    { metrics, group_by: byCategory, outputs: ["chart"], constraints: [kind("bar")] },
  ],
  [
    "histogram of revenue",
    { metrics, analysis: ["distribution"], outputs: ["chart"], constraints: [kind("histogram")] },
  ],
  [
    "Plot daily revenue for the East and West regions",
    {
      metrics,
      group_by: byRegion,
      time: { column: "date", grain: "day" },
      outputs: ["chart"],
      constraints: [filter("region", "in", ["East", "West"])],
    },
  ],
  [
    "show revenue by region as a chart and a table",
    { metrics, group_by: byRegion, outputs: ["chart", "table"] },
  ],
  [
    "revenue by region, don't show a table or a chart",
    { metrics, group_by: byRegion, constraints: [no("table"), no("chart")] },
  ],
  [
    "what revenue is in this table by region, without outliers or anomalies",
    { metrics, group_by: byRegion },
  ],
]

describe("extracting requirements", () => {
  it.each(sales)("reads: %s", (question, parts) => {
    expects(question, parts)
    expect(isUnderstood(question)).toBe(true)
  })

  it("notes how it read an inexact word", () => {
    expect(read("sales by region").notes).toEqual(['"sales" read as revenue'])
    expect(read("revenue by category").notes).toEqual([])
  })

  it("lists what the table lacks as missing, and asks", () => {
    const { requirements, confidence, question } = read("total profit by region")
    expect(requirements.unknown).toEqual(["profit"])
    expect(requirements.metrics).toEqual([])
    expect(confidence).toBe(0.67)
    expect(question?.text).toMatch(/"profit".*columns are region, product_category, date, revenue/)
    expect(question?.choices.map(({ label }) => label)).toContain("the rows")
  })

  it("asks about each word that the table lacks, and answers no part before", () => {
    const { requirements, question } = read("revenue and profit by region and customer")
    expect(requirements).toMatchObject({ metrics: ["revenue"], group_by: ["region"] })
    expect(requirements.unknown.toSorted()).toEqual(["customer", "profit"])
    expect(question?.about).toBe("profit")
  })

  it("finds no requirements in a text without any", () => {
    expect(read("What is the weather like?").question?.about).toBe("weather like")
    expect(read("hello").question?.text).toMatch(/What would you like to know/)
  })

  it("asks which of two columns is meant", () => {
    const table: DataProfile = {
      rows: 10,
      columns: [
        { name: "list_price", type: "number" },
        { name: "sale_price", type: "number" },
        { name: "shop", type: "string" },
      ],
    }
    const { question } = read("average price by shop", table)
    expect(question?.text).toBe('Which do you mean by "price": list_price or sale_price?')
    expects(
      "average sale price by shop",
      { metrics: ["sale_price"], group_by: ["shop"], analysis: ["average"] },
      table,
    )
  })

  it("asks about a period in data without dates", () => {
    const table: DataProfile = { rows: 3, columns: [{ name: "revenue", type: "number" }] }
    expect(read("monthly revenue in 2023", table).requirements.unknown).toEqual(["2023", "monthly"])
  })
})

const cars: DataProfile = {
  title: "cars",
  rows: 406,
  columns: [
    { name: "Name", type: "string" },
    { name: "Miles_per_Gallon", type: "number", nulls: 8 },
    { name: "Cylinders", type: "integer", distinct: [3, 4, 5, 6, 8] },
    { name: "Weight_in_lbs", type: "integer" },
    { name: "Horsepower", type: "integer" },
    { name: "Year", type: "date", min: "1970-01-01", max: "1982-01-01" },
    { name: "Origin", type: "string", distinct: ["Europe", "Japan", "USA"] },
  ],
}

const shop: DataProfile = {
  rows: 12,
  columns: [
    { name: "order", type: "integer", min: 1, max: 12 },
    { name: "shop", type: "string", distinct: ["Oslo", "Paris"] },
    { name: '"; drop table x; --', type: "number" },
    { name: "stars", type: "integer", min: 1, max: 5, nulls: 2, distinct: [1, 2, 3, 4, 5] },
    { name: "grade", type: "string", distinct: ["good", "poor"] },
    { name: "hours open", type: "number" },
  ],
}
const missingStars = filter("stars", "is_null")

describe("extracting what an answer would be wrong without", () => {
  it.each<readonly [string, Partial<Requirements>, DataProfile]>([
    [
      "revenue 2023 vs 2024 by region",
      {
        metrics,
        group_by: byRegion,
        time: yearly,
        analysis: ["compare"],
        constraints: [filter("date", "in", ["2023", "2024"])],
      },
      profile,
    ],
    [
      "bottom 2 shops by stars",
      {
        metrics: ["stars"],
        group_by: ["shop"],
        analysis: ["ranking"],
        constraints: [top(2, "asc")],
      },
      shop,
    ],
    ["how many orders per shop?", { group_by: ["shop"], analysis: ["count"] }, shop],
    ["orders that have no stars", { analysis: ["filter"], constraints: [missingStars] }, shop],
    ["how many orders have no stars?", { analysis: ["count"], constraints: [missingStars] }, shop],
    [
      "highest hours open by shop",
      { metrics: ["hours open"], group_by: ["shop"], analysis: ["maximum"] },
      shop,
    ],
    [
      'total "; drop table x; -- by shop',
      { metrics: ['"; drop table x; --'], group_by: ["shop"], analysis: ["total"] },
      shop,
    ],
  ])("reads: %s", (question, parts, table) => {
    expects(question, parts, table)
    expect(isUnderstood(question, table)).toBe(true)
  })

  it.each([
    ["total revenue in Atlantis", /"Atlantis"/, profile],
    ["total revenue excluding widgetry by region", /"widgetry"/, profile],
    ["how many records mention lunch?", /"mention lunch"/, profile],
    ["total revenue for the company", /"company"/, profile],
    ["total revenue in dollars by region", /"dollars"/, profile],
    ["why is revenue low in North", /what happened, not why/, profile],
    ["how did the weather affect revenue", /"weather"/, profile],
    ["average revenue if units is high", /"if"/, profile],
    ["revenue by region, not only North", /"not only"/, profile],
    ["should revenue be higher", /"should"/, profile],
    ["How did revenue compare with last year?", /Which dates are "last year"/, profile],
    ["total by region", /names nothing to measure/, profile],
    ["average grade by shop", /names nothing to measure/, shop],
    ["longest hours open by shop", /"longest"/, shop],
    ["smallest and largest units by region", /"smallest"/, profile],
  ])("asks about a condition it cannot apply: %s", (question, asked, table) => {
    const { question: next, refusal } = read(question, table)
    expect(next?.text ?? refusal).toMatch(asked)
  })

  it.each(["how many records came in through each region?"])(
    "does not ask about introductory words: %s",
    (question) => {
      expect(isUnderstood(question)).toBe(true)
    },
  )
})

describe("extracting from a table with other names", () => {
  it.each<readonly [string, Partial<Requirements>]>([
    [
      "average mpg by origin",
      { metrics: ["Miles_per_Gallon"], group_by: ["Origin"], analysis: ["average"] },
    ],
    [
      "average horsepower by number of cylinders",
      { metrics: ["Horsepower"], group_by: ["Cylinders"], analysis: ["average"] },
    ],
    [
      "mean Miles per Gallon by number of cylinders",
      { metrics: ["Miles_per_Gallon"], group_by: ["Cylinders"], analysis: ["average"] },
    ],
    [
      "how did fuel economy change over the years?",
      {
        metrics: ["Miles_per_Gallon"],
        time: { column: "Year", grain: "year" },
        analysis: ["trend"],
      },
    ],
    [
      "which car has the highest horsepower?",
      { metrics: ["Horsepower"], analysis: ["ranking"], constraints: [top(1)] },
    ],
    [
      "5 heaviest cars from Japan",
      {
        metrics: ["Weight_in_lbs"],
        analysis: ["ranking"],
        constraints: [top(5), filter("Origin", "=", "Japan")],
      },
    ],
    ["number of cars per origin", { group_by: ["Origin"], analysis: ["count"] }],
    [
      "average weight of cars by origin and year as a table",
      {
        metrics: ["Weight_in_lbs"],
        group_by: ["Origin"],
        time: { column: "Year", grain: "year" },
        analysis: ["average"],
        outputs: ["table"],
      },
    ],
    [
      "cars with horsepower over 200",
      { analysis: ["filter"], constraints: [filter("Horsepower", ">", 200)] },
    ],
  ])("reads: %s", (question, parts) => {
    expects(question, parts, cars)
    expect(read(question, cars).question).toBeUndefined()
  })

  it("notes its noun for the rows", () => {
    expect(read("number of cars per origin", cars).notes).toEqual([])
    expect(read("number of trips per origin", cars).notes).toEqual([
      '"trips" taken for the rows of the table',
    ])
  })

  it("asks about a noun that names something else than the rows", () => {
    const { question, requirements } = read("number of doctors per origin", cars)
    expect(requirements.unknown).toEqual(["doctors"])
    expect(question?.choices.map(({ label }) => label)).toContain("the rows")
  })
})

describe("columns with awkward names", () => {
  const nasty = '"; drop table x; --'
  const table: DataProfile = {
    rows: 1,
    columns: [
      { name: nasty, type: "number" },
      { name: "total", type: "number" },
      { name: "unitPrice", type: "number" },
      { name: "count", type: "integer" },
      { name: "group", type: "string", distinct: ["in", "no", "A"] },
      { name: "opened at", type: "date", min: "2024-01-01", max: "2024-12-31" },
    ],
  }

  it("finds a quoted name, an odd name, a word that means something else", () => {
    expect(read("average unit price by group", table).requirements.metrics).toEqual(["unitPrice"])
    expect(read("sum of total", table).requirements).toMatchObject({
      metrics: ["total"],
      analysis: ["total"],
    })
    expect(read(`average of \`${nasty}\``, table).requirements.metrics).toEqual([nasty])
  })

  it("does not read common words as values", () => {
    expect(read("total in march, no chart", table).requirements.constraints).toEqual([
      no("chart"),
      filter("opened at", "=", "2024-03"),
    ])
  })
})

describe("the vocabulary", () => {
  it("can be extended with words of a domain", () => {
    const vocabulary = extendVocabulary(defaultVocabulary(), {
      synonyms: [["revenue", "umsatz", "arr"]],
      analysis: { anomaly: ["fishy"] },
    })
    const { requirements } = extractRequirements(
      "anything fishy in ARR by region?",
      profile,
      vocabulary,
    )
    expect(requirements).toMatchObject({
      metrics: ["revenue"],
      analysis: ["anomaly"],
      group_by: ["region"],
    })
  })
})

describe("extractRequirements with random texts", () => {
  it("law: never throws, names only columns there are, and is the same every time", () => {
    const names = new Set(profile.columns.map(({ name }) => name))
    const words = fc.constantFrom(
      "revenue",
      "sales",
      "by",
      "region",
      "North",
      "top",
      "5",
      "in",
      "2023",
      "no",
      "chart",
      "vs",
      "and",
      ",",
      "each",
      "month",
      "over",
      "units",
      "between",
      "last",
      "which",
      "highest",
      "excluding",
      '"',
      "average",
      "profit",
    )
    const text = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.array(words, { maxLength: 25 }).map((list) => list.join(" ")),
    )
    fc.assert(
      fc.property(text, (question) => {
        const { requirements, confidence } = read(question)
        expect(read(question).requirements).toEqual(requirements)
        const columns = [
          ...requirements.metrics,
          ...requirements.group_by,
          ...(requirements.time.column === "" ? [] : [requirements.time.column]),
          ...requirements.constraints.flatMap((one) => (one.kind === "filter" ? one.column : [])),
        ]
        expect(columns.filter((name) => !names.has(name))).toEqual([])
        expect(confidence).toBeGreaterThanOrEqual(0)
        expect(confidence).toBeLessThanOrEqual(1)
      }),
      { numRuns: cases(200, 2) },
    )
  })
})
