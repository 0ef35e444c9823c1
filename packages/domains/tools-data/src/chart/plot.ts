/** Turns rows and roles into a chart: limits the number of series, writes title and alternative text. */
import * as Effect from "effect/Effect"
import type { JsonObject } from "@planloom/plugin/effect"
import { chartRows, fieldOf, type Field } from "./Field.ts"
import { seriesTitle } from "../table/wording.ts"
import type { Roles } from "./Series.ts"
import { palette } from "./theme.ts"
import { toChart } from "./toChart.ts"

/** Input of a chart specification. */
export interface Drawing {
  readonly x: Field
  readonly y: ReadonlyArray<Field>
  readonly color: Field | undefined
  readonly facet: Field | undefined
  /** Smoothed line of each `y`, if any. */
  readonly smooth: ReadonlyArray<Field>
  /** In Vega's form, keyed by field names. */
  readonly rows: ReadonlyArray<JsonObject>
  readonly title: string
}

/** Maximum number of panels, and of names along an axis. */
const MAX_PANELS = 12
const MAX_NAMES = 30

const valuesOf = (rows: ReadonlyArray<JsonObject>, field: Field): ReadonlyArray<string> => {
  const size = new Map<string, number>()
  for (const row of rows) size.set(String(row[field.name]), 0)
  return [...size.keys()]
}

/** The series with the largest weight, in that order. */
const heaviest = (
  rows: ReadonlyArray<JsonObject>,
  field: Field,
  y: Field,
  count: number,
): ReadonlySet<string> => {
  const weight = new Map<string, number>()
  for (const row of rows) {
    const key = String(row[field.name])
    weight.set(key, (weight.get(key) ?? 0) + Math.abs(Number(row[y.name] ?? 0)))
  }
  return new Set(
    [...weight]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, count)
      .map(([key]) => key),
  )
}

const defaultTitle = ({ x, y, series }: Roles): string =>
  x.type === "date" ? seriesTitle(y, x, series) : seriesTitle(y, undefined, [x, ...series])

const describe = (kind: string, drawing: Drawing): string => {
  const x = valuesOf(drawing.rows, drawing.x).length
  const series =
    drawing.color === undefined
      ? ""
      : `, ${valuesOf(drawing.rows, drawing.color).length} series by ${drawing.color.title.toLowerCase()}`
  const ranges = drawing.y.map((field) => {
    const numbers = drawing.rows.flatMap((row) =>
      row[field.name] === null ? [] : [Number(row[field.name])],
    )
    const round = (value: number): string =>
      value.toLocaleString("en-US", { maximumFractionDigits: 2 })
    return numbers.length === 0
      ? `${field.title} has no values`
      : `${field.title} from ${round(Math.min(...numbers))} to ${round(Math.max(...numbers))}`
  })
  return `${kind}: ${drawing.title}. ${x} ${x === 1 ? "value" : "values"} of ${drawing.x.title.toLowerCase()}${series}. ${ranges.join("; ")}.`
}

/**
 * Turns series into panels if there are more series than colors and no panels yet. Keeps only the largest series
 * and panels beyond the maximum, with a note.
 */
const arrange = (rows: ReadonlyArray<JsonObject>, roles: Roles) => {
  const averages = roles.smooth ?? []
  const fields = [roles.x, ...roles.y, ...roles.series, ...averages].map(fieldOf)
  const x = fields[0]!
  const y = fields.slice(1, 1 + roles.y.length)
  const series = fields.slice(1 + y.length, 1 + y.length + roles.series.length)
  const smooth = fields.slice(1 + y.length + series.length)
  let [color, facet] = series as [Field | undefined, Field | undefined]
  let drawn = chartRows(rows, [x, ...y, ...smooth], series)
  const notes: Array<string> =
    smooth.length === 0 ? [] : [`Bold: average of the last ${roles.window ?? 0} points.`]
  const cut = (field: Field, count: number): void => {
    const total = valuesOf(drawn, field).length
    if (total <= count) return
    const kept = heaviest(drawn, field, y[0]!, count)
    drawn = drawn.filter((row) => kept.has(String(row[field.name])))
    notes.push(`Shows the ${count} largest of ${total} by ${field.title.toLowerCase()}.`)
  }
  if (color !== undefined && facet === undefined && valuesOf(drawn, color).length > palette.length)
    [color, facet] = [undefined, color]
  if (x.column.type === "string") cut(x, MAX_NAMES)
  if (facet !== undefined) cut(facet, MAX_PANELS)
  if (color !== undefined) cut(color, palette.length)
  return { x, y, color, facet, smooth, rows: drawn, notes }
}

/** Draws a chart. `specOf` returns the Vega-Lite specification without data and theme. */
export const plot = Effect.fnUntraced(function* (
  specOf: (drawing: Drawing) => { readonly kind: string; readonly spec: JsonObject },
  rows: ReadonlyArray<JsonObject>,
  roles: Roles,
  title: string | undefined,
) {
  const { notes, ...arranged } = arrange(rows, roles)
  const drawing: Drawing = { ...arranged, title: title ?? defaultTitle(roles) }
  const { kind, spec } = specOf(drawing)
  const alt = describe(kind, drawing)
  return yield* toChart({ title: drawing.title, alt, spec, rows: drawing.rows, notes })
})
