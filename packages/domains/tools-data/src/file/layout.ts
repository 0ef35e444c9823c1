/** Where the table in delimited text stands: its header, the lines above it, the cells of its rows. */
import { firstRecords, type Record } from "./records.ts"

export interface Layout {
  readonly delimiter: string
  /** Lines above the header. */
  readonly skip: number
  /** Whether the first record is a header; otherwise it is a row. */
  readonly header: boolean
  /** Names of the columns as written; empty for a column without one. */
  readonly names: ReadonlyArray<string>
}

/** A layout of the first lines of a file. */
export interface Outline extends Layout {
  /** Whether all of its rows have as many cells as the header. */
  readonly isRegular: boolean
}

const delimiters = [",", ";", "\t", "|"] as const

/** Records of the head that are looked at. */
export const MAX_RECORDS = 200

/** Number of cells up to the last that is not empty. */
export const widthOf = (cells: ReadonlyArray<string>): number =>
  cells.findLastIndex((cell) => cell.trim() !== "") + 1

/** The value that occurs most, the greatest of several; undefined of none. */
const mostFrequent = (values: ReadonlyArray<number>): number | undefined => {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].toSorted(([a, n], [b, m]) => m - n || b - a)[0]?.[0]
}

const isNumber = (cell: string): boolean => /^[\s$€£]*[-+]?[\d.,\s]*\d[\d.,\s%€]*$/.test(cell)

/** A header may consist of years. */
const isYear = (cell: string): boolean => /^(18|19|20)\d\d$/.test(cell.trim())

/** Share of the usual number of filled cells that a header has at least, unlike a title. */
const MIN_HEADER_SHARE = 0.75

/** The layout of the first records; undefined if they are empty. */
export const outlineBy = (
  delimiter: string,
  records: ReadonlyArray<Record>,
): Outline | undefined => {
  const widths = records.map(({ cells }) => widthOf(cells))
  const least = widths.some((width) => width > 1) ? 2 : 1
  const usual = mostFrequent(widths.filter((width) => width >= least))
  if (usual === undefined) return undefined
  const at = widths.findIndex((width) => width >= Math.max(least, usual * MIN_HEADER_SHARE))
  const { cells, line } = records[at]!
  const numbers = cells.filter(isNumber)
  const header = numbers.length === 0 || (numbers.length > 1 && numbers.every(isYear))
  const rows = records.slice(at + 1)
  // In R's files the header lacks the name of the first column.
  const isShifted =
    header && rows.length > 0 && rows.every((row) => row.cells.length === cells.length + 1)
  return {
    delimiter,
    skip: line - 1 - cells.join("").split("\n").slice(1).length,
    header,
    names: isShifted ? ["", ...cells] : cells,
    isRegular:
      !isShifted &&
      cells.every((cell) => cell.trim() !== "") &&
      rows.every((row) => row.cells.length === cells.length),
  }
}

/** Share of the sizes that are the usual one. */
const shareOf = (sizes: ReadonlyArray<number>): number => {
  const usual = mostFrequent(sizes.filter((size) => size > 1))
  return sizes.filter((size) => size === usual).length / Math.max(1, sizes.length)
}

/** How well a delimiter fits: empty cells at the end of a row may be left out or be too many. */
const fitOf = (records: ReadonlyArray<Record>): number =>
  Math.max(
    shareOf(records.map(({ cells }) => cells.length)),
    shareOf(records.map(({ cells }) => widthOf(cells))),
  )

/** Least share of lines with the same number of cells in a table. */
const MIN_FIT = 0.5

/** The number of columns that the first line of a text names, by the delimiter with the most cells in it. */
export const namedColumns = (
  head: string,
): { readonly count: number; readonly delimiter: string } =>
  delimiters
    .map((delimiter) => ({
      delimiter,
      count: firstRecords(head, delimiter, 1)[0]?.cells.length ?? 0,
    }))
    .reduce((most, one) => (one.count > most.count ? one : most))

/** The layout of a file's first lines; undefined for a text of one column. */
export const outlineOf = (head: string, known: string | undefined): Outline | undefined => {
  const candidates = (known === undefined ? delimiters : [known]).map((delimiter) => {
    const records = firstRecords(head, delimiter, MAX_RECORDS)
    return { delimiter, records, fit: fitOf(records) }
  })
  const [best] = candidates.toSorted((a, b) => b.fit - a.fit)
  if (best === undefined || best.fit < MIN_FIT) return undefined
  // Only the database knows comments.
  if (best.records.some(({ cells }) => cells[0]!.startsWith("#"))) return undefined
  return outlineBy(best.delimiter, best.records)
}
