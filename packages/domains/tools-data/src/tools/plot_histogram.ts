/** Draws a histogram of one number. */
import * as Effect from "effect/Effect"
import type { Json } from "@planloom/plugin/effect"
import { attempt, refused, type DataFailed } from "../DataFailed.ts"
import { appended, optional, tableIn, type DataTool } from "../DataTool.ts"
import { chartRows, fieldOf } from "../chart/Field.ts"
import { histogramSpec } from "../chart/histogramSpec.ts"
import { toChart } from "../chart/toChart.ts"
import { readRows, withLineage } from "../duckdb/evaluate.ts"
import { columnsAlong } from "../table/operations.ts"
import { readColumn } from "../table/read.ts"
import { titleOf } from "../table/wording.ts"
import { binning, binParams } from "./binning.ts"
import { numberIn } from "./histogram.ts"
import { titleParam } from "./params.ts"

/** Maximum number of panels. */
const MAX_PANELS = 12

export const plot_histogram: DataTool = {
  tool: {
    name: "plot_histogram",
    summary: "Draws a histogram of one number, how often values of which size occur.",
    capabilities: ["plot", "histogram", "distribution", "chart"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        column: { type: "string", role: "column", description: "The number to draw." },
        ...binParams,
        group_by: {
          type: "string",
          role: "group_by",
          description: "The column that makes panels, one per value.",
        },
        title: titleParam,
      },
      required: ["column"],
      additionalProperties: false,
    },
    outputs: ["chart"],
    group: "chart",
  },
  run: Effect.fnUntraced(function* (invocation): Effect.fn.Return<Json, DataFailed> {
    const table = yield* attempt(() => tableIn(invocation))
    const column = yield* attempt(() => numberIn(table, optional(invocation, "column")))
    const by = optional(invocation, "group_by")
    const group =
      by === undefined ? undefined : yield* attempt(() => readColumn(by, table.columns, "group_by"))
    const { notes, ...bins } = yield* binning(table, column, invocation)
    const group_by = group === undefined ? [] : [group.name]
    const lineage = yield* attempt(() =>
      appended(table, [{ op: "bins", column: column.name, group_by, ...bins }]),
    )
    const { rows } = yield* withLineage(lineage, (opened) => readRows(opened, 5000))
    if (rows.length === 0) {
      return yield* refused(`no value of ${JSON.stringify(column.name)} lies in the drawn range`, {
        rows: 0,
      })
    }
    const columns = columnsAlong(lineage).at(-1)!
    const fields = columns.map(fieldOf)
    const [from, to, count, percent] = fields.slice(group_by.length)
    const facet = group === undefined ? undefined : fields[0]!
    const size = facet === undefined ? count! : percent!
    const panels = rows.length / bins.count
    if (panels > MAX_PANELS)
      return yield* refused(
        `${JSON.stringify(group!.name)} has ${panels} values; a histogram has at most ${MAX_PANELS} panels: filter the table first`,
        { column: group!.name },
      )
    const name = titleOf(column)
    const most = (key: string): number => Math.max(...rows.map((row) => Math.abs(Number(row[key]))))
    const spec = histogramSpec({
      title: name,
      whole: column.type === "integer",
      from: from!,
      to: to!,
      size,
      facet,
      panels,
      largest: { x: most(to!.column.name), y: most(size.column.name) },
    })
    const title =
      optional(invocation, "title") ??
      `Distribution of ${name.toLowerCase()}${group === undefined ? "" : ` by ${titleOf(group).toLowerCase()}`}`
    const peak = rows.reduce((best, row) =>
      Number(row[size.column.name]) > Number(best[size.column.name]) ? row : best,
    )
    const formatted = (value: unknown): string =>
      Number(value).toLocaleString("en-US", { maximumFractionDigits: 2 })
    // Intervals of one whole number are centered on that number.
    const shift = column.type === "integer" && bins.width === 1 ? 0.5 : 0
    const shown = rows.map((row) => ({
      ...row,
      [from!.column.name]: Number(row[from!.column.name]) - shift,
      [to!.column.name]: Number(row[to!.column.name]) - shift,
    }))
    return yield* toChart({
      title,
      notes,
      spec,
      rows: chartRows(shown, [from!, to!, size], facet === undefined ? [] : [facet]),
      alt: `Histogram: ${title}. ${bins.count} intervals of ${formatted(bins.width)}; most values lie from ${formatted(peak[from!.column.name])} to ${formatted(peak[to!.column.name])}${facet === undefined ? ` (${formatted(peak[count!.column.name])})` : ""}. ${notes.join(" ")}`.trim(),
    })
  }),
}
