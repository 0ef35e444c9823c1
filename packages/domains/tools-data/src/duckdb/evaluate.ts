/** Evaluates a lineage to a table handle or to rows; materializes small and reduced results in the database. */
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type { JsonObject } from "@planloom/plugin/effect"
import { attempt, failed, type DataFailed } from "../DataFailed.ts"
import { readable } from "../file/copies.ts"
import { dataFile, type DataFile } from "../file/DataFile.ts"
import type { Source } from "../file/Source.ts"
import { compile, lineageKey, type Kept } from "../table/compile.ts"
import { columnsAlong, reduces, sourcesOf } from "../table/operations.ts"
import type { Lineage } from "../table/Operation.ts"
import { PREVIEW_ROWS, type Column, type Table } from "../table/Table.ts"
import { query, type Result } from "./query.ts"
import { withSession, type Session } from "./Session.ts"

/** Files up to this size are read once per session: 64 MiB. */
const MAX_KEPT_SOURCE_BYTES = 64 * 1024 ** 2

/** Whether rereading the table is cheap. */
export const isKept = ({ files }: Opened): boolean =>
  files.reduce((sum, { size }) => sum + size, 0) <= MAX_KEPT_SOURCE_BYTES

/** Maximum materialized results per session. */
const MAX_KEPT = 32

/** A lineage whose files were verified to be unchanged. */
export interface Opened {
  readonly session: Session
  /** All its files, its own source first, in the order of `sourcesOf`. */
  readonly files: ReadonlyArray<DataFile>
  readonly lineage: Lineage
}

const unchanged = (source: Source): Effect.Effect<DataFile, DataFailed, Scope.Scope> =>
  Effect.flatMap(dataFile(source.path), (file) =>
    file.size === source.size && file.digest === source.digest
      ? readable(file, source.copy)
      : Effect.fail(failed(`${file.path} has changed since it was described: describe it again`)),
  )

/** Verifies the files and opens a database for them; `more` are further paths the work may open. */
export const withLineage = <A, R>(
  lineage: Lineage,
  work: (opened: Opened) => Effect.Effect<A, DataFailed, R>,
  more: ReadonlyArray<string> = [],
): Effect.Effect<A, DataFailed, R> =>
  Effect.scopedWith((scope) =>
    Effect.forEach(sourcesOf(lineage), unchanged).pipe(
      Effect.provideService(Scope.Scope, scope),
      Effect.flatMap((files) =>
        withSession([...files.map(({ real }) => real), ...more], (session) =>
          work({ session, files, lineage }),
        ),
      ),
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

/** The longest prefix of the lineage that is already materialized. */
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
        if (kept.size <= MAX_KEPT) break
        kept.delete(oldest)
        yield* query(opened.session, `DROP TABLE IF EXISTS "${oldest}"`)
      }
    }),
  )

/** Materializes what will be read again: a small file, and everything up to the last reduction. */
const prepare = Effect.fnUntraced(function* (opened: Opened) {
  const last = opened.lineage.ops.findLastIndex(reduces) + 1
  if (isKept(opened) && !opened.session.kept.has(keyOf(opened, last))) yield* keep(opened, 0)
  if (last > 0) yield* keep(opened, last)
})

/** The statement for the whole lineage, starting from materialized results. */
export const statement = (opened: Opened): string =>
  compile(opened.lineage, realOf(opened), longestKept(opened))

/** At most `limit` rows of the lineage and the total number (counted unless `known`). */
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

/** Attributes of a handle besides its rows. `rows`: their number, if already known. */
export interface About {
  readonly title?: string
  readonly notes?: ReadonlyArray<string>
  readonly rows?: number
}

/** Evaluates a lineage once for its row count and first rows, and returns its handle. */
export const evaluate = Effect.fnUntraced(function* (opened: Opened, about: About = {}) {
  const { rows, total, columns } = yield* readRows(opened, PREVIEW_ROWS, about.rows)
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

/** Runs a statement over the rows of the lineage; `sql` gets the relation to read from. The result must be small. */
export const readRowsSql = Effect.fnUntraced(function* (
  opened: Opened,
  sql: (from: string) => string,
) {
  yield* prepare(opened)
  const text = yield* attempt(() => sql(`(${statement(opened)})`))
  return yield* query(opened.session, text)
})
