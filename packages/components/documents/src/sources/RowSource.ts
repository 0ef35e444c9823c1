/** The rows of a file: one item for the file, one passage for each row. */
import { hash } from "node:crypto"
import { stat } from "node:fs/promises"
import { DocumentsFailed } from "../index/DocumentsFailed.ts"
import { facetValue } from "./facetValue.ts"
import { isDatabase, readRows } from "./readRows.ts"
import { MAX_ROWS, type ReadRows, type Row, type RowFile } from "./RowFile.ts"
import { isOlder, type Listing, type Passage, type ReadItem, type Source } from "./Source.ts"

/** Characters of a row that are searched. */
const MAX_CHARACTERS = 16_000

export class RowSource implements Source {
  private readonly rows: RowFile
  private readonly facets: ReadonlyArray<string>

  constructor(rows: RowFile, facets: ReadonlyArray<string>) {
    this.rows = rows
    this.facets = facets
  }

  async list(): Promise<Listing> {
    const { file, name } = this.rows
    const found = await stat(file).catch(() => undefined)
    if (found?.isFile() !== true) throw new DocumentsFailed(`there is no file ${file}`)
    // What was written last may stand in the log beside a database.
    const log = isDatabase(file) ? await stat(`${file}-wal`).catch(() => undefined) : undefined
    const modified = Math.max(found.mtimeMs, log?.mtimeMs ?? 0)
    return {
      items: [
        {
          path: name,
          modified,
          stamp: [found.size, found.mtimeMs, log?.size, log?.mtimeMs].join(" "),
          isSettled: (readAt) => isOlder(modified, readAt),
          read: () => readItem(this.rows, this.facets),
        },
      ],
      unreadable: [],
      left: false,
    }
  }
}

const readItem = async (file: RowFile, facets: ReadonlyArray<string>): Promise<ReadItem> => {
  try {
    const read = await readRows(file)
    checkColumns(file, facets, read)
    return { isPaged: false, ...passagesOf(file, facets, read) }
  } catch (error) {
    if (!(error instanceof DocumentsFailed)) throw error
    return { chunks: [], isPaged: false, problem: error.message }
  }
}

/** A column that is not there would be searched in vain. */
const checkColumns = (
  { columns: searched = [], key }: RowFile,
  facets: ReadonlyArray<string>,
  { columns, rows }: ReadRows,
): void => {
  if (rows.length === 0) return
  const missing = [...searched, ...facets, ...(key === undefined ? [] : [key])].find(
    (column) => !columns.includes(column),
  )
  if (missing !== undefined)
    throw new DocumentsFailed(`it has no column ${missing}: it has ${columns.join(", ")}`)
}

const passagesOf = (
  { columns, key, name }: RowFile,
  facets: ReadonlyArray<string>,
  { columns: all, left, rows }: ReadRows,
): Pick<ReadItem, "chunks" | "cut"> => {
  const identify = identifier(name)
  let long = 0
  let from = 0
  const chunks = rows.flatMap((row): ReadonlyArray<Passage> => {
    const texts = (columns ?? all).flatMap((column) => {
      const text = row.values.get(column)?.join(", ") ?? ""
      return text === "" ? [] : [[column, text] as const]
    })
    const whole = texts.map(([column, text]) => `${column}: ${text}`).join("\n")
    if (!/[\p{L}\p{N}]/u.test(whole)) return []
    if (whole.length > MAX_CHARACTERS) long++
    const text = whole.slice(0, MAX_CHARACTERS)
    const own = key === undefined ? undefined : row.values.get(key)?.join(", ")
    const chars = [from, from + text.length] as const
    from += text.length + 1
    return [
      {
        id: identify(own ?? JSON.stringify([...row.values])),
        headings: own === undefined ? [] : [own],
        ...(row.lines !== undefined && { lines: row.lines }),
        chars,
        page: 1,
        isBare: false,
        text,
        columns: Object.fromEntries(
          texts.map(([column, one]) => [column, one.slice(0, MAX_CHARACTERS)]),
        ),
        facets: facetsOf(row, facets),
      },
    ]
  })
  const cut = [
    ...(left ? [`only its first ${MAX_ROWS} rows are read`] : []),
    ...(long === 0
      ? []
      : [`${long} of its rows are longer than the ${MAX_CHARACTERS} characters that are read`]),
  ].join("; ")
  return { chunks, ...(cut !== "" && { cut }) }
}

const facetsOf = (
  { values }: Row,
  facets: ReadonlyArray<string>,
): { readonly [facet: string]: ReadonlyArray<string> } =>
  Object.fromEntries(
    facets.flatMap((facet) => {
      const given = values.get(facet)
      return given === undefined ? [] : [[facet, given.map(facetValue)] as const]
    }),
  )

/** Ids of rows by their keys; equal ones are counted. */
const identifier = (name: string) => {
  const seen = new Map<string, number>()
  return (own: string): string => {
    const times = seen.get(own) ?? 0
    seen.set(own, times + 1)
    return hash("sha256", JSON.stringify([name, own, times])).slice(0, 16)
  }
}
