/** The passages that a search may find, by their facets: conditions of SQL that hold before anything is ranked. */
import type { SQLInputValue } from "node:sqlite"

/** By facet: one of the values is there. No value finds nothing. */
export interface Filter {
  readonly [facet: string]: ReadonlyArray<string>
}

export interface Scope {
  /** Bounds of all that may be found, by each of these filters: values are compared as they are written. */
  readonly where?: ReadonlyArray<Filter>
  /** Filters of the search itself: values are compared without case. */
  readonly filter?: Filter
}

/** A condition on a column that holds the rowid of a passage; without any, all passages are meant. */
export interface Condition {
  readonly of: (rowid: string) => string
  readonly values: ReadonlyArray<SQLInputValue>
}

/** The facet that every passage has: the folders that its file is in, from the top. */
export const FOLDER = "folder"

export const foldValue = (value: string): string => value.normalize("NFKC").trim().toLowerCase()

export const conditionOf = ({ filter = {}, where = [] }: Scope): Condition => {
  const parts = [
    ...where.flatMap((one) =>
      Object.entries(one).map(([facet, values]) => partOf(facet, values, false)),
    ),
    ...Object.entries(filter).map(([facet, values]) => partOf(facet, values, true)),
  ]
  return {
    of: (rowid) => parts.map(({ rows }) => ` AND ${rowid} IN (${rows})`).join(""),
    values: parts.flatMap(({ values }) => values),
  }
}

const partOf = (facet: string, wanted: ReadonlyArray<string>, isFolded: boolean) => {
  const values = JSON.stringify(isFolded ? wanted.map(foldValue) : wanted)
  const own = `SELECT chunk FROM facets WHERE name = ? AND ${isFolded ? "folded" : "value"} IN (SELECT value FROM json_each(?))`
  if (facet !== FOLDER) return { rows: own, values: [facet, values] }
  return {
    rows: `${own} UNION SELECT chunks.rowid FROM chunks, json_each(?) AS folder
      WHERE substr(chunks.path, 1, length(folder.value) + 1) = folder.value || '/'
        AND NOT EXISTS (SELECT 1 FROM facets WHERE facets.chunk = chunks.rowid AND facets.name = ?)`,
    values: [facet, values, JSON.stringify(wanted), facet],
  }
}

/** Whether a file without passages is within: its folder alone is known. */
export const isFileWithin = (path: string, filter: Filter): boolean =>
  Object.entries(filter).every(
    ([facet, values]) => facet === FOLDER && values.some((folder) => path.startsWith(`${folder}/`)),
  )
