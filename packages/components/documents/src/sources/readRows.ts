/** Reads the rows of a CSV, TSV, JSON, JSON Lines, SQLite or Excel file, with their values as text. */
import { readFile, stat } from "node:fs/promises"
import { DocumentsFailed } from "../index/DocumentsFailed.ts"
import { cellText, valueText } from "../read/cellText.ts"
import { MAX_ROW_BYTES, MAX_ROWS, type ReadRows, type Row, type RowFile } from "./RowFile.ts"

const DATABASE = /\.(?:sqlite3?|db)$/i
const WORKBOOK = /\.xlsx$/i

/** Whether the rows of a file are chosen by the name of a table or sheet. */
export const isDatabase = (path: string): boolean => DATABASE.test(path)

/** Fails with `DocumentsFailed` for a file that has no such rows. */
export const readRows = async ({ file, table }: RowFile): Promise<ReadRows> => {
  if (isDatabase(file)) return readTable(file, table)
  const { size } = await stat(file)
  if (size > MAX_ROW_BYTES)
    throw new DocumentsFailed(`it is larger than ${MAX_ROW_BYTES / 1024 / 1024} MB`)
  const bytes = await readFile(file)
  if (WORKBOOK.test(file)) return readSheet(bytes, table)
  const text = new TextDecoder().decode(bytes)
  if (/\.[ct]sv$/i.test(file)) return readCsv(text, /\.tsv$/i.test(file) ? "\t" : undefined)
  if (/\.(?:jsonl|ndjson)$/i.test(file)) return ofObjects(jsonLines(text))
  if (/\.json$/i.test(file)) return ofObjects(jsonList(text))
  throw new DocumentsFailed("its format is not known: csv, tsv, json, jsonl, sqlite and xlsx are")
}

const readCsv = async (text: string, delimiter?: string): Promise<ReadRows> => {
  const { parse } = await import("csv-parse/sync")
  const separator = delimiter ?? separatorOf(text)
  let records: ReadonlyArray<{
    readonly record: ReadonlyArray<string>
    readonly info: { readonly lines: number }
  }>
  try {
    records = parse(text, {
      bom: true,
      delimiter: separator,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: MAX_ROWS + 2,
    }) as never
  } catch (error) {
    throw new DocumentsFailed(`it is damaged: ${(error as Error).message}`)
  }
  const [head, ...rest] = records
  const columns = columnsOf(head?.record ?? [])
  let last = head?.info.lines ?? 1
  const rows = rest.map(({ info, record }): Row => {
    const lines = [last + 1, info.lines] as const
    last = info.lines
    return { lines, values: valuesOf(columns, record) }
  })
  return limited(columns, rows)
}

/** The one of the usual separators that the first line has most of. */
const separatorOf = (text: string): string => {
  const first = text.slice(0, 10_000).split("\n", 1)[0]!
  return [",", ";", "\t"].toSorted((a, b) => first.split(b).length - first.split(a).length)[0]!
}

const jsonLines = (text: string): ReadonlyArray<Placed> =>
  text.split("\n").flatMap((line, at) => {
    if (line.trim() === "") return []
    try {
      return [{ value: JSON.parse(line) as unknown, lines: [at + 1, at + 1] as const }]
    } catch {
      throw new DocumentsFailed(`line ${at + 1} is not JSON`)
    }
  })

const jsonList = (text: string): ReadonlyArray<Placed> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new DocumentsFailed(`it is not JSON: ${(error as Error).message}`)
  }
  if (!Array.isArray(value)) throw new DocumentsFailed("it is not a JSON list of objects")
  return value.map((one) => ({ value: one as unknown }))
}

interface Placed {
  readonly value: unknown
  readonly lines?: readonly [number, number]
}

const ofObjects = (placed: ReadonlyArray<Placed>): ReadRows => {
  const columns = new Set<string>()
  const rows = placed.map(({ lines, value }, at): Row => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new DocumentsFailed(`item ${at + 1} is not an object`)
    const values = new Map<string, ReadonlyArray<string>>()
    for (const [column, given] of Object.entries(value)) {
      columns.add(column)
      const texts = (Array.isArray(given) ? given : [given])
        .map(valueText)
        .filter((one) => one !== "")
      if (texts.length > 0) values.set(column, texts)
    }
    return { ...(lines !== undefined && { lines }), values }
  })
  return limited([...columns], rows)
}

const readTable = (file: string, table: string | undefined): ReadRows => {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite")
  let database
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
    const names = database
      .prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name")
      .all()
      .map(({ name }) => String(name))
    if (table === undefined || !names.includes(table))
      throw new DocumentsFailed(
        `${table === undefined ? "`table` names none of its tables" : `it has no table ${table}`}: it has ${names.join(", ") || "none"}`,
      )
    const statement = database.prepare(
      `SELECT * FROM "${table.replaceAll('"', '""')}" LIMIT ${MAX_ROWS + 1}`,
    )
    statement.setReadBigInts(true)
    const columns = statement.columns().map(({ name }) => name)
    const rows = statement.all().map((row): Row => ({
      values: valuesOf(
        columns,
        columns.map((column) => valueText(row[column])),
      ),
    }))
    return limited(columns, rows)
  } catch (error) {
    if (error instanceof DocumentsFailed) throw error
    throw new DocumentsFailed(`it cannot be read: ${(error as Error).message}`)
  } finally {
    database?.close()
  }
}

const readSheet = async (bytes: Buffer, wanted: string | undefined): Promise<ReadRows> => {
  const { readXlsx } = await import("hucre/xlsx")
  const { Archive } = await import("../read/office/Archive.ts")
  const { Unreadable } = await import("../read/office/Unreadable.ts")
  let sheets
  try {
    // What it unpacks to has bounds.
    new Archive(bytes).checkAll()
    ;({ sheets } = await readXlsx(bytes))
  } catch (error) {
    const { message } = error as Error
    throw new DocumentsFailed(error instanceof Unreadable ? message : `it is damaged: ${message}`)
  }
  const sheet = wanted === undefined ? sheets[0] : sheets.find(({ name }) => name === wanted)
  if (sheet === undefined)
    throw new DocumentsFailed(
      `it has no sheet ${wanted ?? ""}: it has ${sheets.map(({ name }) => name).join(", ") || "none"}`,
    )
  const texts = Array.from(sheet.rows, (row) => (row ?? []).map(cellText))
  const from = texts.findIndex((row) => row.some((cell) => cell !== ""))
  const columns = columnsOf(texts[from] ?? [])
  const rows = texts.slice(from + 1).flatMap((cells, at): ReadonlyArray<Row> => {
    const line = from + at + 2
    return cells.some((cell) => cell !== "")
      ? [{ lines: [line, line], values: valuesOf(columns, cells) }]
      : []
  })
  return limited(columns, rows)
}

/** Names of columns; one without a name, and each further one of a name, is numbered. */
const columnsOf = (heads: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seen = new Set<string>()
  return heads.map((head, at) => {
    const wanted = head.trim() === "" ? `column ${at + 1}` : head.trim()
    const name = seen.has(wanted) ? `${wanted} ${at + 1}` : wanted
    seen.add(name)
    return name
  })
}

const valuesOf = (
  columns: ReadonlyArray<string>,
  cells: ReadonlyArray<string>,
): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map(
    columns.flatMap((column, at) => {
      const text = (cells[at] ?? "").trim()
      return text === "" ? [] : [[column, [text]] as const]
    }),
  )

const limited = (columns: ReadonlyArray<string>, rows: ReadonlyArray<Row>): ReadRows => ({
  columns,
  rows: rows.slice(0, MAX_ROWS),
  left: rows.length > MAX_ROWS,
})
