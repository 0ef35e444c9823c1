/** Draws box plots of a number per group. */
import * as Effect from "effect/Effect"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { attempt, refused, type DataFailed } from "../DataFailed.ts"
import { appended, optional, tableIn, type DataTool } from "../DataTool.ts"
import { boxFields, boxSpec } from "../chart/boxSpec.ts"
import { categoryName } from "../chart/Field.ts"
import { toChart } from "../chart/toChart.ts"
import { readRows, readRowsSql, withLineage } from "../duckdb/evaluate.ts"
import { readColumn } from "../table/read.ts"
import { identifier } from "../table/sql.ts"
import type { Column, Table } from "../table/Table.ts"
import { titleOf } from "../table/wording.ts"
import { numberIn } from "./histogram.ts"
import { titleParam } from "./params.ts"

/** Maximum number of boxes. */
const MAX_BOXES = 30
/** Maximum dots per box: evenly chosen outliers, always including the furthest. */
const MAX_DOTS = 60

const WHISKER = 1.5

/** Values beyond the whiskers. */
const dots = (table: Table, column: Column, group: Column | undefined) =>
  withLineage(table, (opened) =>
    readRowsSql(opened, (from) => {
      const value = `CAST(${identifier(column.name)} AS DOUBLE)`
      const key = group === undefined ? "true" : identifier(group.name)
      const reach = `${WHISKER} * (q[2] - q[1])`
      return `SELECT g, v FROM (SELECT g, v, row_number() OVER (PARTITION BY g ORDER BY v) AS i, count(*) OVER (PARTITION BY g) AS n FROM (SELECT ${key} AS g, ${value} AS v, quantile_cont(${value}, [0.25, 0.75]) OVER (PARTITION BY ${key}) AS q FROM ${from} WHERE isfinite(${value})) WHERE v < q[1] - ${reach} OR v > q[2] + ${reach}) WHERE n <= ${MAX_DOTS} OR i = 1 OR i = n OR i % (n // ${MAX_DOTS} + 1) = 0`
    }),
  )

export const plot_box: DataTool = {
  tool: {
    name: "plot_box",
    summary: "Draws box plots of one number, its middle, spread and far values for each group.",
    capabilities: ["plot", "box", "distribution", "chart"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        column: { type: "string", role: "column", description: "The number to draw." },
        group_by: {
          type: "string",
          role: "group_by",
          description: "The column that makes the boxes; one box unless given.",
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
    const keys = group === undefined ? [] : [group.name]
    const lineage = yield* attempt(() =>
      appended(table, [{ op: "boxes", column: column.name, group_by: keys }]),
    )
    const { rows, total, columns } = yield* withLineage(lineage, (opened) => readRows(opened, 5000))
    if (rows.length === 0)
      return yield* refused(`${JSON.stringify(column.name)} has no values to draw`, { rows: 0 })
    const [count, low, p25, median, p75, high] = columns.slice(keys.length).map(({ name }) => name)
    const kept = rows
      .toSorted((a, b) => Number(b[count!]) - Number(a[count!]))
      .slice(0, MAX_BOXES)
      .toSorted((a, b) => Number(b[median!]) - Number(a[median!]))
    const nameOf = (value: Json | undefined): string =>
      group === undefined ? "" : categoryName(value ?? null, group)
    const boxes = kept.map((row) => ({
      group: nameOf(row[keys[0] ?? ""]),
      low: row[low!]!,
      p25: row[p25!]!,
      median: row[median!]!,
      p75: row[p75!]!,
      high: row[high!]!,
    }))
    const order = boxes.map((box) => box.group)
    const far = yield* dots(table, column, group)
    const drawn = far.rows
      .map((row): JsonObject => ({ group: nameOf(row["g"]), value: row["v"]!, dot: true }))
      .filter((row) => order.includes(String(row["group"])))
    const numbers = [
      ...boxes.flatMap((box) => boxFields.slice(1).map((field) => Number(box[field]))),
      ...drawn.map((row) => Number(row["value"])),
    ]
    const name = titleOf(column)
    const title =
      optional(invocation, "title") ??
      `Distribution of ${name.toLowerCase()}${group === undefined ? "" : ` by ${titleOf(group).toLowerCase()}`}`
    const formatted = (value: unknown): string =>
      Number(value).toLocaleString("en-US", { maximumFractionDigits: 2 })
    const notes = [
      `Box: the middle half of the values; line: the median${drawn.length === 0 ? "" : "; dots: more than 1.5 box lengths away"}.`,
      ...(total > kept.length ? [`Shows the ${kept.length} largest groups of ${total}.`] : []),
    ]
    return yield* toChart({
      title,
      notes,
      rows: [...boxes, ...drawn],
      spec: boxSpec({
        value: name,
        group: group === undefined ? "" : titleOf(group),
        order,
        largest: Math.max(...numbers.map(Math.abs)),
      }),
      alt: `Box plot: ${title}. ${boxes
        .slice(0, 12)
        .map(
          (box) =>
            `${box.group === "" ? name : box.group}: median ${formatted(box.median)}, half of the values from ${formatted(box.p25)} to ${formatted(box.p75)}`,
        )
        .join("; ")}.`,
    })
  }),
}
