/** Formats tables with aligned columns, limited to the terminal's width. */
import { cut, pad, widthOf } from "./text.ts"

export interface TableColumn {
  readonly head: string
  readonly align: "left" | "right"
  /** Colors a cell after it was cut and padded. */
  readonly paint?: (text: string) => string
}

const GAP = 2
const LEAST = 4

/**
 * Formats a header, a rule and the rows. Columns that do not fit are first narrowed, the widest first, then
 * omitted from the right; the last line shows how many are omitted.
 */
export const table = (
  columns: ReadonlyArray<TableColumn>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  width: number,
  dim: (text: string) => string = (text) => text,
): ReadonlyArray<string> => {
  const wanted = columns.map(({ head }, index) =>
    Math.max(widthOf(head), ...rows.map((row) => widthOf(row[index] ?? ""))),
  )
  const shown = Math.max(
    1,
    Math.min(columns.length, Math.floor((width + GAP) / (LEAST + GAP)) || columns.length),
  )
  const widths = fit(wanted.slice(0, shown), width)
  const line = (cells: ReadonlyArray<string>, painted: boolean) =>
    widths
      .map((cells_, index) => {
        const { align, paint } = columns[index]!
        const last = index === widths.length - 1
        const text = cut(cells[index] ?? "", cells_)
        const padded = last && align === "left" ? text : pad(text, cells_, align)
        return painted && paint !== undefined ? paint(padded) : padded
      })
      .join(" ".repeat(GAP))
      .trimEnd()
  const hidden = columns.length - shown
  return [
    dim(
      line(
        columns.map(({ head }) => head),
        false,
      ),
    ),
    dim(widths.map((cells) => "─".repeat(cells)).join(" ".repeat(GAP))),
    ...rows.map((row) => line(row, true)),
    ...(hidden > 0 ? [dim(`${hidden} more columns do not fit`)] : []),
  ]
}

/** Narrows the widest column until the line fits. */
const fit = (wanted: ReadonlyArray<number>, width: number): ReadonlyArray<number> => {
  const widths = [...wanted]
  let over = widths.reduce((sum, cells) => sum + cells, 0) + GAP * (widths.length - 1) - width
  while (over > 0) {
    const most = Math.max(...widths)
    if (most <= LEAST) break
    const at = widths.lastIndexOf(most)
    const next = Math.max(
      LEAST,
      ...widths.filter((_, index) => index !== at && widths[index]! < most),
    )
    const take = Math.min(over, Math.max(1, most - next))
    widths[at] = most - take
    over -= take
  }
  return widths
}

/** Formats two columns without a header: names in `least` to `most` cells, and their descriptions. */
export const definitions = (
  rows: ReadonlyArray<readonly [name: string, text: ReadonlyArray<string>]>,
  indent: string,
  most = 30,
  least = 0,
): ReadonlyArray<string> => {
  const left = Math.min(most, Math.max(least, ...rows.map(([name]) => widthOf(name))))
  return rows.flatMap(([name, text]) => {
    const [first = "", ...rest] = text
    const beside = widthOf(name) <= left
    const space = indent + " ".repeat(left + GAP)
    const head = beside
      ? [(indent + pad(name, left + GAP) + first).trimEnd()]
      : [indent + name, space + first]
    return [...head, ...rest.map((line) => space + line)]
  })
}
