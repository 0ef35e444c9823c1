/** Words for tables and columns in chart titles and report headings. */
import type { Column } from "./Table.ts"

/** Words for a title: `product_category` reads as `product category`. */
export const titleOf = (column: Column): string => {
  const words = (column.label ?? column.name).replaceAll("_", " ").trim()
  return words === "" ? column.name : words[0]!.toUpperCase() + words.slice(1)
}

const lower = (column: Column): string => titleOf(column).toLowerCase()

const listed = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)!}`

/** `Total revenue and total units per month by region`. */
export const seriesTitle = (
  measures: ReadonlyArray<Column>,
  time: Column | undefined,
  groups: ReadonlyArray<Column>,
): string => {
  const words = listed(
    measures.map((column, index) => (index === 0 ? titleOf(column) : lower(column))),
  )
  const per = time === undefined ? "" : ` per ${time.grain ?? lower(time)}`
  return `${words}${per}${groups.length === 0 ? "" : ` by ${listed(groups.map(lower))}`}`
}
