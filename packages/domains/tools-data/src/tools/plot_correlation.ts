/** Draws a heatmap of the correlations of several numbers. */
import * as Effect from "effect/Effect"
import type { Json } from "@planloom/plugin/effect"
import { attempt, type DataFailed } from "../DataFailed.ts"
import { appended, many, optional, tableIn, type DataTool } from "../DataTool.ts"
import { cells } from "../chart/cells.ts"
import { toChart } from "../chart/toChart.ts"
import { readRows, withLineage } from "../duckdb/evaluate.ts"
import { columnsAlong } from "../table/operations.ts"
import { titleOf } from "../table/wording.ts"
import { titleParam } from "./params.ts"

/** Maximum number of columns. */
const MAX_COLUMNS = 16

export const plot_correlation: DataTool = {
  tool: {
    name: "plot_correlation",
    summary: "Draws the correlations of three or more number columns as a heatmap.",
    capabilities: ["plot", "correlation", "heatmap", "chart"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        columns: {
          type: "array",
          items: { type: "string" },
          minItems: 3,
          maxItems: MAX_COLUMNS,
          role: "columns",
          description: "The number columns; of two, plot_scatter shows more.",
        },
        title: titleParam,
      },
      required: ["columns"],
      additionalProperties: false,
    },
    outputs: ["chart"],
    group: "chart",
  },
  run: Effect.fnUntraced(function* (invocation): Effect.fn.Return<Json, DataFailed> {
    const table = yield* attempt(() => tableIn(invocation))
    const lineage = yield* attempt(() =>
      appended(table, [
        { op: "correlation", columns: many(invocation, "columns"), form: "matrix" },
      ]),
    )
    const { rows } = yield* withLineage(lineage, (opened) => readRows(opened, 100))
    const [, ...numbers] = columnsAlong(lineage).at(-1)!
    const names = numbers.map(titleOf)
    const drawn = rows.flatMap((row, down) =>
      numbers.map(({ name }, across) => ({
        x: names[across]!,
        y: names[down]!,
        value: row[name] ?? null,
      })),
    )
    const title =
      optional(invocation, "title") ?? `Correlation of ${names.join(", ").toLowerCase()}`
    const notes = [
      "Pearson's r: blue goes up together, orange goes the other way, pale is no straight line.",
    ]
    const pairs = drawn.filter(
      (_, index) => index % numbers.length > Math.floor(index / numbers.length),
    )
    return yield* toChart({
      title,
      notes,
      rows: drawn,
      spec: cells({
        x: { title: null, order: names },
        y: { title: null, order: names },
        value: undefined,
        strongest: 1,
        weakest: 0,
        format: ".2f",
      }),
      alt: `Heatmap: ${title}. ${pairs
        .slice(0, 15)
        .map(
          ({ x, y, value }) =>
            `${y} and ${x} ${value === null ? "unknown" : Number(value).toFixed(2)}`,
        )
        .join("; ")}.`,
    })
  }),
}
