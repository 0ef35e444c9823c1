/** From a lineage to a table handle or to rows, keeping small and reduced results in the database. */
import * as Effect from "effect/Effect"
import type { JsonObject } from "@planloom/plugin"
import { attempt, failed, type DataFailed } from "../DataFailed.ts"
import { dataFile, type DataFile } from "../file/DataFile.ts"
import type { Source } from "../file/Source.ts"
import { compile, lineageKey, type Kept } from "../table/compile.ts"
import { columnsAlong, reduces, sourcesOf } from "../table/operations.ts"
import { PREVIEW, type Column, type Lineage, type Table } from "../table/Table.ts"
import { query, type Result } from "./query.ts"
import { withSession, type Session } from "./Session.ts"

/** Files up to this size are read once per session: 64 MiB. */
const KEEP_SOURCE = 64 * 1024 ** 2

/** Whether reading the table again costs next to nothing. */
export const isKept = ({ files }: Opened): boolean =>
  files.reduce((sum, { size }) => sum + size, 0) <= KEEP_SOURCE

/** Materialised results per session. */
const MOST_KEPT = 32

/** A lineage whose files have been looked at again and are still the same. */
export interface Opened {
  readonly session: Session
  /** Every file it reads, its own first, in the order of `sourcesOf`. */
  readonly files: ReadonlyArray<DataFile>
  readonly lineage: Lineage
}

const unchanged = (source: Source): Effect.Effect<DataFile, DataFailed> =>
  Effect.flatMap(dataFile(source.path), (file) =>
    file.size === source.size && file.digest === source.digest
      ? Effect.succeed(file)
      : Effect.fail(failed(`${file.path} has changed since it was described: describe it again`)),
  )

/** Checks the files and opens a database for them; `more` are other paths the work may open. */
export const withLineage = <A, R>(
  lineage: Lineage,
  work: (opened: Opened) => Effect.Effect<A, DataFailed, R>,
  more: ReadonlyArray<string> = [],
): Effect.Effect<A, DataFailed, R> =>
  Effect.flatMap(Effect.forEach(sourcesOf(lineage), unchanged), (files) =>
    withSession([...files.map(({ real }) => real), ...more], (session) =>
      work({ session, files, lineage }),
    ),
  )

const realOf =
  ({ files }: Opened) =>
  (source: Source): string =>
    files.find(({ path }) => path === source.path)!.real

const keyOf = (opened: Opened, ops: number): string =>
  `k_${lineageKey(
    opened.lineage.source,
    opened.files.map(({ modified }) => modified),
    opened.lineage.ops.slice(0, ops),
  )}`

/** The longest prefix of the lineage that is already materialised. */
const longestKept = (opened: Opened): Kept | undefined => {
  for (let ops = opened.lineage.ops.length; ops >= 0; ops--) {
    const table = keyOf(opened, ops)
    if (opened.session.kept.has(table)) return { table, ops }
  }
  return undefined
}

const keep = (opened: Opened, ops: number): Effect.Effect<void, DataFailed> =>
  opened.session.keeping.withPermit(
    Effect.gen(function* () {
      const { kept } = opened.session
      const table = keyOf(opened, ops)
      if (kept.delete(table)) return void kept.set(table, true)
      const lineage = { ...opened.lineage, ops: opened.lineage.ops.slice(0, ops) }
      const sql = compile(lineage, realOf(opened), longestKept({ ...opened, lineage }))
      yield* query(opened.session, `CREATE OR REPLACE TABLE "${table}" AS ${sql}`)
      kept.set(table, true)
      for (const oldest of kept.keys()) {
        if (kept.size <= MOST_KEPT) break
        kept.delete(oldest)
        yield* query(opened.session, `DROP TABLE IF EXISTS "${oldest}"`)
      }
    }),
  )

/** Materialises what will be read again: a small file, and everything up to the last reduction. */
const prepare = Effect.fnUntraced(function* (opened: Opened) {
  const last = opened.lineage.ops.findLastIndex(reduces) + 1
  if (isKept(opened) && !opened.session.kept.has(keyOf(opened, last))) yield* keep(opened, 0)
  if (last > 0) yield* keep(opened, last)
})

/** The statement for the whole lineage, from whatever is kept. */
export const statement = (opened: Opened): string =>
  compile(opened.lineage, realOf(opened), longestKept(opened))

/** Rows of the lineage, at most `limit`, and how many there are in all (counted unless `known`). */
export const readRows = Effect.fnUntraced(function* (
  opened: Opened,
  limit: number,
  known?: number,
) {
  yield* prepare(opened)
  const sql = yield* attempt(() => statement(opened))
  const result: Result = yield* query(opened.session, `SELECT * FROM (${sql}) LIMIT ${limit}`)
  if (result.rows.length < limit) return { ...result, total: result.rows.length }
  if (known !== undefined) return { ...result, total: known }
  const count = yield* query(opened.session, `SELECT count(*) AS n FROM (${sql})`)
  return { ...result, total: Number(count.rows[0]!["n"]) }
})

/** What a handle says besides its rows. `rows`: how many there are, where that is known already. */
export interface About {
  readonly title?: string
  readonly notes?: ReadonlyArray<string>
  readonly rows?: number
}

/** The handle of a lineage: evaluates it once for its size and its first rows. */
export const evaluate = Effect.fnUntraced(function* (opened: Opened, about: About = {}) {
  const { rows, total, columns } = yield* readRows(opened, PREVIEW, about.rows)
  const declared: ReadonlyArray<Column> = columnsAlong(opened.lineage).at(-1)!
  const table: Table = {
    type: "table",
    ...(about.title === undefined ? {} : { title: about.title }),
    source: opened.lineage.source,
    ops: opened.lineage.ops,
    columns: declared.map((column, index) => ({ ...column, type: columns[index]!.type })),
    rows: total,
    preview: rows as ReadonlyArray<JsonObject>,
    ...(about.notes === undefined || about.notes.length === 0 ? {} : { notes: about.notes }),
  }
  return table
})

/** A statement over the rows of the lineage: `sql` gets the relation to read from. Few rows, please. */
export const readRowsSql = Effect.fnUntraced(function* (
  opened: Opened,
  sql: (from: string) => string,
) {
  yield* prepare(opened)
  const text = yield* attempt(() => sql(`(${statement(opened)})`))
  return yield* query(opened.session, text)
})
