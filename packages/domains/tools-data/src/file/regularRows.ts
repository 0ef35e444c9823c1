/** Writes records as CSV with the same number of cells in every row. */
import { widthOf, type Layout } from "./layout.ts"
import type { Record } from "./records.ts"

/** Rows whose number of cells differs from the header's. */
export interface Irregular {
  readonly count: number
  /** The first of their lines. */
  readonly lines: ReadonlyArray<number>
}

export interface Measured {
  /** Columns with a name or a value. */
  readonly width: number
  readonly rows: number
  readonly short: Irregular
  readonly long: Irregular
}

/** Lines that a note names. */
const MAX_LINES = 3

const counting = () => {
  const lines: Array<number> = []
  let count = 0
  return {
    add: (line: number) => {
      count++
      if (lines.length < MAX_LINES) lines.push(line)
    },
    get: (): Irregular => ({ count, lines }),
  }
}

/** The records below the header that hold a value. */
const rowsOf = async function* (
  records: AsyncIterable<Record>,
  { header, skip }: Layout,
): AsyncIterable<Record> {
  let isHeader = header
  for await (const record of records) {
    if (record.line <= skip) continue
    if (!isHeader && widthOf(record.cells) > 0) yield record
    isHeader = false
  }
}

/** Counts the rows that do not fit the layout's columns. */
export const measureRows = async (
  records: AsyncIterable<Record>,
  layout: Layout,
): Promise<Measured> => {
  const [short, long] = [counting(), counting()]
  let rows = 0
  let width = widthOf(layout.names)
  for await (const { cells, line } of rowsOf(records, layout)) {
    rows++
    const own = widthOf(cells)
    if (own > layout.names.length) long.add(line)
    else if (cells.length < layout.names.length) short.add(line)
    if (own <= layout.names.length) width = Math.max(width, own)
  }
  return { width, rows, short: short.get(), long: long.get() }
}

const line = (cells: ReadonlyArray<string>, delimiter: string): string => {
  const written = cells.map((cell) =>
    /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell,
  )
  // A line that is empty would be no row.
  return `${written.length === 1 && written[0] === "" ? '""' : written.join(delimiter)}\n`
}

/** The header and the rows that fit it. Short rows are filled, long ones are left out. */
export const regularRows = async function* (
  records: AsyncIterable<Record>,
  layout: Layout,
): AsyncIterable<string> {
  const { delimiter, names } = layout
  yield line(
    names.map((name, index) => (name.trim() === "" ? `column${index}` : name)),
    delimiter,
  )
  for await (const { cells } of rowsOf(records, layout))
    if (widthOf(cells) <= names.length)
      yield line(
        names.map((_, index) => cells[index] ?? ""),
        delimiter,
      )
}
