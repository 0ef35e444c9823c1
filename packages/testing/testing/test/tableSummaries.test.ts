/** The line that each tool on tables gives on its result. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { compileExpression } from "@planloom/expression"
import type { JsonObject } from "@planloom/plugin/effect"
import { source } from "@planloom/tools-data"

const { tools } = Effect.runSync(source.list)

const line = (tool: string, result: JsonObject) =>
  compileExpression(tools.find(({ name }) => name === tool)!.summarize!).evaluate({
    params: {},
    result,
  })

describe("the summary of a result", () => {
  it("gives rows and columns of a table with commas between thousands, and its title", () => {
    const columns = [{ name: "a" }, { name: "b" }]
    assert.strictEqual(line("filter", { rows: 1, columns: [{ name: "a" }] }), "1 row, 1 column")
    assert.strictEqual(line("filter", { rows: 999, columns, title: "" }), "999 rows, 2 columns")
    const large = { rows: 17_008, columns, title: "Sales" }
    assert.strictEqual(line("aggregate", large), "17,008 rows, 2 columns: Sales")
    assert.strictEqual(line("join", { rows: 12_000_034, columns }), "12,000,034 rows, 2 columns")
  })

  it("gives the size of a profiled table, the title of a chart, the rows of a file", () => {
    assert.strictEqual(line("describe", { table: { rows: 0, columns: [] } }), "0 rows, 0 columns")
    assert.strictEqual(line("plot_bar", { type: "chart", title: "Sales" }), "chart: Sales")
    assert.strictEqual(line("plot_bar", { type: "chart" }), "chart")
    assert.strictEqual(line("render_report", { title: "Why?" }), "report: Why?")
    assert.strictEqual(line("export", { format: "csv", rows: 2000 }), "csv file of 2,000 rows")
  })
})
