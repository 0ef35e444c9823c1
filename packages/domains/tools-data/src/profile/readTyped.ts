/** Reads a file by its detected types, corrects the types that do not hold, and profiles the table. */
import { parse } from "node:path"
import * as Effect from "effect/Effect"
import type { DataFailed } from "../DataFailed.ts"
import { evaluate, type Opened } from "../duckdb/evaluate.ts"
import type { Session } from "../duckdb/Session.ts"
import type { DataFile } from "../file/DataFile.ts"
import type { Source, Storage } from "../file/Source.ts"
import type { Table } from "../table/Table.ts"
import { isSampled, type Inspected } from "./inspect.ts"
import { profile, type DataProfile, type ProfiledColumn, type Seen } from "./profile.ts"
import { codesIn, dayFirst, refine } from "./refine.ts"
import { centuryNotes, placeholderNotes } from "./suspects.ts"

export interface OpenedFile extends DataProfile {
  readonly notes: ReadonlyArray<string>
  readonly table: Table
}

const stored = (source: Source, change: (name: string, storage: Storage) => Storage): Source => ({
  ...source,
  columns: source.columns.map(({ name, storage }) => ({ name, storage: change(name, storage) })),
})

/**
 * Whole numbers in a sample may be followed by fractions, which reading as integers would round silently. So whole
 * numbers are first read as doubles, and become integers if all values are whole.
 */
const onTrial = (source: Source): ReadonlySet<string> =>
  new Set(source.columns.flatMap(({ name, storage }) => (storage === "BIGINT" ? [name] : [])))

/** Beyond 2^53 the doubles are inexact; then the range is omitted. */
const asInteger = ({ min, max, ...column }: ProfiledColumn): ProfiledColumn => ({
  ...column,
  type: "integer",
  ...(Number.isSafeInteger(min) && Number.isSafeInteger(max) ? { min: min!, max: max! } : {}),
})

/** Dates whose days are all below 13 may have day and month swapped. */
const ambiguous = (source: Source, columns: ReadonlyArray<Seen>): ReadonlyArray<string> =>
  /^%[dm][/.-]%[dm]/.test(source.dialect?.date_format ?? "")
    ? columns.flatMap(({ profiled, latestDay }) =>
        latestDay !== undefined && latestDay <= 12 ? [dayFirst(profiled.name)] : [],
      )
    : []

const read = Effect.fnUntraced(function* (
  session: Session,
  file: DataFile,
  inspected: Inspected,
  trial: ReadonlySet<string>,
) {
  const tried = stored(inspected.source, (name, storage) => (trial.has(name) ? "DOUBLE" : storage))
  const raw: Opened = { session, files: [file], lineage: { source: tried, ops: [] } }
  const refinement = yield* refine(raw)
  const seen = yield* profile({ ...raw, lineage: { source: tried, ops: refinement.ops } })
  const whole = new Set(
    seen.columns.flatMap(({ profiled, fractions }) =>
      trial.has(profiled.name) && fractions === 0 ? [profiled.name] : [],
    ),
  )
  const source = stored(tried, (name, storage) => (whole.has(name) ? "BIGINT" : storage))
  const opened: Opened = { ...raw, lineage: { source, ops: refinement.ops } }
  const columns = seen.columns.map(({ profiled }) => profiled)
  const notes = [
    ...inspected.notes,
    ...refinement.notes,
    ...ambiguous(source, seen.columns),
    ...centuryNotes(opened, columns),
    ...(yield* placeholderNotes(opened, columns)),
  ]
  const result: OpenedFile = {
    columns: columns.map((column) => (whole.has(column.name) ? asInteger(column) : column)),
    rows: seen.rows,
    title: parse(file.path).name,
    notes,
    table: yield* evaluate(opened, { notes, rows: seen.rows }),
  }
  return result
})

const unconvertible = ({ detail }: DataFailed): string | undefined =>
  typeof detail === "object" && detail !== null && "unconvertible" in detail
    ? String(detail["unconvertible"])
    : undefined

/** Reads whole numbers with leading zeros as text. */
const withCodes = Effect.fnUntraced(function* (
  session: Session,
  file: DataFile,
  inspected: Inspected,
) {
  const { source } = inspected
  const whole = source.columns.flatMap(({ name, storage }) => (storage === "BIGINT" ? [name] : []))
  if (source.dialect === undefined) return inspected
  const asText = stored(source, (_, storage) => (storage === "BIGINT" ? "VARCHAR" : storage))
  const opened: Opened = { session, files: [file], lineage: { source: asText, ops: [] } }
  const codes = yield* codesIn(opened, whole)
  return {
    ...inspected,
    source: stored(source, (name, storage) => (codes.includes(name) ? "VARCHAR" : storage)),
  }
})

/** Rereads columns as text if later rows do not have the type of the sample. */
const readCorrected = (
  session: Session,
  file: DataFile,
  inspected: Inspected,
): Effect.Effect<OpenedFile, DataFailed> => {
  const trial = isSampled(file) ? onTrial(inspected.source) : new Set<string>()
  return read(session, file, inspected, trial).pipe(
    Effect.catch((error) => {
      const name = unconvertible(error)
      const column = inspected.source.columns.find((each) => each.name === name)
      if (column === undefined || column.storage === "VARCHAR") return Effect.fail(error)
      const source = stored(inspected.source, (each, storage) =>
        each === name ? "VARCHAR" : storage,
      )
      return readCorrected(session, file, { ...inspected, source })
    }),
  )
}

/** Reads the file that was inspected. */
export const readTyped = (
  session: Session,
  file: DataFile,
  inspected: Inspected,
): Effect.Effect<OpenedFile, DataFailed> =>
  Effect.flatMap(withCodes(session, file, inspected), (typed) =>
    readCorrected(session, file, typed),
  )
