import { assert, describe, it } from "@effect/vitest"
import type { Json, Tool } from "@planloom/plugin/effect"
import { viewTable } from "@planloom/tables"
import { table } from "../../../../components/stages/test/sales.ts"
import { noRequirements } from "../requirements/Requirements.ts"
import {
  correlationLines,
  distributionLines,
  forecastLines,
  hasQuartiles,
} from "./analysisSentences.ts"
import type { Found } from "./Found.ts"

const tool: Tool = {
  name: "any",
  summary: "",
  capabilities: [],
  inputs: {},
  params: true,
  outputs: ["table"],
}

const found = (value: Json): Found => ({
  step: { id: "step", tool: "any", inputs: {}, params: {}, satisfies: [] },
  tool,
  table: viewTable(value)!,
})

const pairs = table(
  [
    ["column", "string"],
    ["with", "string"],
    ["correlation", "number"],
    ["rows", "integer"],
  ],
  [
    ["units", "price", -0.71, 1200],
    ["order_size", "units", 0.34, 1200],
    ["order_size", "price", 0.02, 1200],
    ["units", "constant", null, 1200],
  ],
)

describe("a correlation in words", () => {
  it("states sign and strength, or that no correlation can be computed", () => {
    assert.deepStrictEqual(correlationLines(found(pairs), noRequirements), [
      "Units and price: correlation -0.71, a strong negative relation (1,200 rows).",
      "Order size and units: correlation 0.34, a moderate positive relation (1,200 rows).",
      "Order size and price: correlation 0.02, practically no linear relation (1,200 rows).",
      "Units and constant: no correlation can be computed, because one of them never changes or is missing.",
    ])
  })

  it("lists only the pairs with the requested number", () => {
    const lines = correlationLines(found(pairs), { ...noRequirements, metrics: ["price"] })
    assert.lengthOf(lines, 2)
    assert.isTrue(lines.every((line) => line.includes("price")))
  })
})

describe("a forecast in words", () => {
  const columns = [
    ["date", "date", "date", "month"],
    ["region", "string"],
    ["forecast", "number", "forecast of total revenue"],
    ["low", "number", "lower end (80 %)"],
    ["high", "number", "upper end (80 %)"],
  ] as const

  it("lists each value with its interval and its group", () => {
    const value = table(columns, [
      ["2025-01-01", "North", 100, 80.5, 119.5],
      ["2025-01-01", "South", 7, null, null],
    ])
    assert.deepStrictEqual(forecastLines(found(value)), [
      "Forecast of total revenue by month and region, in brackets where 80 % of outcomes should lie:",
      "- Jan 2025, North: 100 (80.5 to 119.5)",
      "- Jan 2025, South: 7",
    ])
  })

  it("lists at most 12 rows and the number of further ones", () => {
    const rows = Array.from({ length: 20 }, (_, index) => [
      `2025-01-${10 + index}`,
      "North",
      index,
      0,
      9,
    ])
    const lines = forecastLines(found(table(columns, rows as never)))
    assert.lengthOf(lines, 14)
    assert.strictEqual(lines.at(-1), "- … and 8 more")
  })
})

describe("a distribution in words", () => {
  const columns = ["region", "column", "count", "mean", "min", "p25", "median", "p75", "max"].map(
    (name, at) => [name, at < 2 ? "string" : "number"] as const,
  )

  it("states median, quartiles and range of each group", () => {
    const value = table(columns, [
      ["North", "order_size", 40, 5.25, 1, 3, 5, 7, 30],
      ["South", "order_size", 0, null, null, null, null, null, null],
    ])
    assert.isTrue(hasQuartiles(found(value).table))
    assert.deepStrictEqual(distributionLines(found(value)), [
      "North, order size: median 5; half of the values lie between 3 and 7, all between 1 and 30 (40 values, mean 5.25).",
      "South, order size: no values.",
    ])
  })
})
