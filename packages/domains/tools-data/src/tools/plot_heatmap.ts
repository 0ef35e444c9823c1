/** Draws a heatmap of one number over two groupings. */
import * as Effect from "effect/Effect"
import type { Json, JsonObject, ToolInvocation } from "@planloom/plugin/effect"
import { attempt, refused, type DataFailed } from "../DataFailed.ts"
import { optional, tableIn, type DataTool } from "../DataTool.ts"
import { cells } from "../chart/cells.ts"
import { categoryName } from "../chart/Field.ts"
import { toChart } from "../chart/toChart.ts"
import { readRows, withLineage } from "../duckdb/evaluate.ts"
import { readColumn } from "../table/read.ts"
import { isNumeric, type Column, type Table } from "../table/Table.ts"
import { titleOf } from "../table/wording.ts"
import { numberIn } from "./histogram.ts"
import { titleParam } from "./params.ts"

const MAX_CELLS = { across: 40, down: 60 }

interface Cell {
  readonly x: string
  readonly y: string
  readonly value: Json
}

interface Laid {
  readonly cells: ReadonlyArray<Cell>
  readonly x: string | null
  readonly y: string
  readonly value: string | null
  readonly orders: { readonly x: boolean; readonly y: boolean }
  readonly title: string
}

const sorts = ({ type }: Column): boolean => type !== "string" && type !== "boolean"

/** One row per cell. */
const long = (table: Table, rows: ReadonlyArray<JsonObject>, invocation: ToolInvocation): Laid => {
  const divides = table.columns.filter((column) => !isNumeric(column))
  const named = (param: string, at: number): Column => {
    const name = optional(invocation, param)
    const found = name === undefined ? divides[at] : readColumn(name, table.columns, param)
    if (found === undefined)
      throw refused("a heatmap needs two columns that divide the rows", {
        columns: table.columns.map((column) => column.name),
      })
    return found
  }
  const [x, y] = [named("x", 0), named("y", 1)]
  const value = numberIn(table, optional(invocation, "value"))
  const laid = rows.map((row) => ({
    x: categoryName(row[x.name] ?? null, x),
    y: categoryName(row[y.name] ?? null, y),
    value: row[value.name] ?? null,
  }))
  if (new Set(laid.map((cell) => JSON.stringify([cell.x, cell.y]))).size < laid.length)
    throw refused(
      `there are several rows for one pair of ${JSON.stringify(x.name)} and ${JSON.stringify(y.name)}: aggregate the table first`,
      { needs: "aggregate", x: x.name, y: y.name },
    )
  const words = [titleOf(value), titleOf(x).toLowerCase(), titleOf(y).toLowerCase()]
  return {
    cells: laid,
    x: titleOf(x),
    y: titleOf(y),
    value: words[0]!,
    orders: { x: sorts(x), y: sorts(y) },
    title: `${words[0]!} by ${words[1]!} and ${words[2]!}`,
  }
}

/** A cross table: one row per name, one column per name. */
const wide = (table: Table, rows: ReadonlyArray<JsonObject>): Laid => {
  const numbers = table.columns.filter(isNumeric)
  const names = table.columns.filter((column) => !isNumeric(column))
  const titles = numbers.map(({ label, name }) => label ?? name)
  return {
    cells: rows.flatMap((row) =>
      numbers.map((column, index) => ({
        x: titles[index]!,
        y: names.map((one) => categoryName(row[one.name] ?? null, one)).join(", "),
        value: row[column.name] ?? null,
      })),
    ),
    x: null,
    y: names.map(titleOf).join(", "),
    value: null,
    orders: { x: true, y: names.every(sorts) },
    title: table.title ?? "Cross table",
  }
}

/** In the table's order if that is meaningful, else largest first. */
const orderOf = (
  all: ReadonlyArray<Cell>,
  side: "x" | "y",
  kept: boolean,
): ReadonlyArray<string> => {
  const weight = new Map<string, number>()
  for (const cell of all)
    weight.set(cell[side], (weight.get(cell[side]) ?? 0) + Math.abs(Number(cell.value ?? 0)))
  return kept
    ? [...weight.keys()]
    : [...weight.keys()].toSorted((a, b) => weight.get(b)! - weight.get(a)!)
}

export const plot_heatmap: DataTool = {
  tool: {
    name: "plot_heatmap",
    summary: "Draws a heatmap of one number over two groupings, or of a cross table.",
    capabilities: ["plot", "heatmap", "categorical", "compare", "chart"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        x: { type: "string", role: "x", description: "The column across." },
        y: { type: "string", role: "color", description: "The column down." },
        value: { type: "string", role: "y", description: "The number in the cells." },
        title: titleParam,
      },
      additionalProperties: false,
    },
    outputs: ["chart"],
    group: "chart",
  },
  run: Effect.fnUntraced(function* (invocation): Effect.fn.Return<Json, DataFailed> {
    const table = yield* attempt(() => tableIn(invocation))
    const { rows, total } = yield* withLineage(table, (opened) => readRows(opened, 5000))
    if (rows.length === 0 || total > rows.length)
      return yield* refused(
        rows.length === 0
          ? "the table has no rows to draw"
          : `${total} rows are too many for a heatmap: aggregate the table first`,
        { rows: total },
      )
    const crossed =
      optional(invocation, "x") === undefined &&
      table.columns.filter(isNumeric).length > 1 &&
      table.columns.some((column) => !isNumeric(column))
    const laid = yield* attempt(() => (crossed ? wide(table, rows) : long(table, rows, invocation)))
    const ordered = (side: "x" | "y") => {
      const names = orderOf(laid.cells, side, laid.orders[side])
      return laid.orders[side] && !crossed ? names.toSorted() : names
    }
    const all = { x: ordered("x"), y: ordered("y") }
    const [x, y] = [all.x.slice(0, MAX_CELLS.across), all.y.slice(0, MAX_CELLS.down)]
    const drawn = laid.cells.filter((cell) => x.includes(cell.x) && y.includes(cell.y))
    const sizes = drawn.flatMap(({ value }) => (value === null ? [] : [Math.abs(Number(value))]))
    if (sizes.length === 0) return yield* refused("the table has no values to draw", { rows: 0 })
    const signed = drawn.some(({ value }) => value !== null && Number(value) < 0)
    const strongest = Math.max(...sizes)
    const title = optional(invocation, "title") ?? laid.title
    const notes = [
      ...(all.x.length > x.length ? [`Shows ${x.length} of ${all.x.length} columns.`] : []),
      ...(all.y.length > y.length ? [`Shows ${y.length} of ${all.y.length} rows.`] : []),
      ...(signed ? ["Orange is below zero."] : []),
    ]
    const formatted = (cell: Cell): string =>
      `${Number(cell.value).toLocaleString("en-US", { maximumFractionDigits: 2 })} (${cell.y}, ${cell.x})`
    const ranked = drawn
      .filter(({ value }) => value !== null)
      .toSorted((a, b) => Number(b.value) - Number(a.value))
    return yield* toChart({
      title,
      notes,
      rows: drawn as never,
      spec: cells({
        x: { title: laid.x, order: x },
        y: { title: laid.y, order: y },
        value: laid.value,
        strongest,
        weakest: signed ? 0 : Math.min(0.6 * strongest, ...sizes),
        format: strongest >= 100 ? ",.0f" : ",.3~r",
      }),
      alt: `Heatmap: ${title}. ${x.length} columns and ${y.length} rows, from ${formatted(ranked.at(-1)!)} to ${formatted(ranked[0]!)}.`,
    })
  }),
}
