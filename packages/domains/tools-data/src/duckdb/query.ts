/** Runs a statement; interruption cancels it in the database, too. */
import type { DuckDBConnection, DuckDBResultReader } from "@duckdb/node-api"
import * as Effect from "effect/Effect"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import type { ColumnType } from "@planloom/tables"
import { DataFailed } from "../DataFailed.ts"
import { Progress } from "./Progress.ts"
import type { Session } from "./Session.ts"

export interface Result {
  readonly columns: ReadonlyArray<{ readonly name: string; readonly type: ColumnType }>
  readonly rows: ReadonlyArray<JsonObject>
}

/**
 * Converts a DuckDB error to a failure, without hints that are useful only to SQL authors. If a column's values do
 * not have the assumed type, `detail.unconvertible` names the column; `detail.unreadable` is `layout` or `encoding` if
 * the lines of a file have not the assumed ones.
 */
const explain = (error: unknown): DataFailed => {
  const message = error instanceof Error ? error.message : String(error)
  const line = /CSV Error on Line: (\d+)/.exec(message)?.[1]
  const column = /Error when converting column "(.*?)"\. Could/s.exec(message)?.[1]
  const unreadable = /Expected Number of Columns/.test(message)
    ? "layout"
    : /not utf-8 encoded/i.test(message)
      ? "encoding"
      : undefined
  const words = message
    .split("\n")
    .map((part) => part.trim())
    .find((part) => part !== "" && !/CSV Error on Line|^Original Line/.test(part))
  return new DataFailed({
    class: "tool_error",
    message:
      line === undefined
        ? (words ?? message).slice(0, 400)
        : `line ${line}: ${words ?? "malformed"}`,
    ...(column === undefined ? {} : { detail: { unconvertible: column } }),
    ...(unreadable === undefined ? {} : { detail: { unreadable } }),
  })
}

const whole = new Set([
  "TINYINT",
  "SMALLINT",
  "INTEGER",
  "BIGINT",
  "UTINYINT",
  "USMALLINT",
  "UINTEGER",
  "UBIGINT",
  "HUGEINT",
  "UHUGEINT",
])

const columnType = (type: string): ColumnType => {
  if (whole.has(type)) return "integer"
  if (type === "DOUBLE" || type === "FLOAT" || type.startsWith("DECIMAL")) return "number"
  if (type === "DATE" || type.startsWith("TIMESTAMP")) return "date"
  return type === "BOOLEAN" ? "boolean" : "string"
}

/**
 * JSON holds no 64-bit integers and no infinities: integers beyond 2^53 and non-finite numbers
 * stay text, so that no number changes silently.
 */
const toJson = (value: Json, type: ColumnType): Json => {
  if (value === null || type === "boolean") return value
  if (type === "date") return String(value).replace(" ", "T")
  if (type === "string") return typeof value === "string" ? value : JSON.stringify(value)
  if (typeof value === "number") return value
  const read = Number(value)
  if (Number.isNaN(read) || !Number.isFinite(read)) return value
  return type === "integer" && !Number.isSafeInteger(read) ? value : read
}

const toResult = (reader: DuckDBResultReader): Result => {
  const names = reader.columnNames()
  const types = reader.columnTypes().map((type) => columnType(String(type)))
  return {
    columns: names.map((name, index) => ({ name, type: types[index]! })),
    rows: reader
      .getRowsJson()
      .map((row) =>
        Object.fromEntries(
          row.map((value, index) => [names[index]!, toJson(value as Json, types[index]!)]),
        ),
      ),
  }
}

/** Interrupts are repeated because DuckDB drops one that arrives between two of its steps. */
const REPEAT_INTERRUPT_MS = 20

const runOn = (connection: DuckDBConnection, sql: string): Effect.Effect<Result, DataFailed> =>
  Effect.callback<Result, DataFailed>((resume) => {
    const settled = connection.runAndReadAll(sql).then(
      (reader) => resume(Effect.sync(() => toResult(reader))),
      (error: unknown) => resume(Effect.fail(explain(error))),
    )
    return Effect.promise(async () => {
      connection.interrupt()
      const again = setInterval(() => connection.interrupt(), REPEAT_INTERRUPT_MS)
      await settled
      clearInterval(again)
    })
  })

/** Interval of progress reports; shorter statements report nothing. */
const REPORT_EVERY_MS = 500

/** Never completes: it races the statement. DuckDB reports −1 for statements of unknown progress. */
const report = (connection: DuckDBConnection): Effect.Effect<never> =>
  Effect.flatMap(Progress, (progress) =>
    Effect.sleep(REPORT_EVERY_MS).pipe(
      Effect.andThen(
        Effect.suspend(() => {
          const { percentage } = connection.progress
          return percentage >= 0 && percentage <= 100
            ? progress("reading the table", percentage / 100)
            : progress("reading the table")
        }),
      ),
      Effect.forever,
    ),
  )

/** Opens a connection that tracks progress without printing a bar. */
const connect = (session: Session) =>
  Effect.promise(async () => {
    const connection = await session.instance.connect()
    await connection.run("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
    return connection
  })

/** All rows of a statement as JavaScript values; the result must be small. */
export const query = (session: Session, sql: string): Effect.Effect<Result, DataFailed> =>
  Effect.acquireUseRelease(
    connect(session),
    (connection) => Effect.raceFirst(runOn(connection, sql), report(connection)),
    (connection) => Effect.sync(() => connection.closeSync()),
  )
