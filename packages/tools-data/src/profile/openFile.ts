/** From a file to a profile and a table handle: sniff, try, mend, profile. */
import * as Effect from "effect/Effect"
import { failed, type DataFailed } from "../DataFailed.ts"
import { evaluate, type Opened } from "../duckdb/evaluate.ts"
import { withSession, type Session } from "../duckdb/Session.ts"
import type { DataFile } from "../file/DataFile.ts"
import type { Source, Storage } from "../file/Source.ts"
import type { Table } from "../table/Table.ts"
import { inspect, isSampled, type Inspected } from "./inspect.ts"
import { profile, type DataProfile, type ProfiledColumn, type Seen } from "./profile.ts"
import { dayFirst, refine } from "./refine.ts"

export interface OpenedFile extends DataProfile {
  readonly notes: ReadonlyArray<string>
  readonly table: Table
}

const stored = (source: Source, change: (name: string, storage: Storage) => Storage): Source => ({
  ...source,
  columns: source.columns.map(({ name, storage }) => ({ name, storage: change(name, storage) })),
})

/**
 * A sample can show whole numbers where fractions follow, and reading those as integers would round
 * them in silence. So whole numbers are tried as doubles first, and become integers when all are.
 */
const onTrial = (source: Source): ReadonlySet<string> =>
  new Set(source.columns.flatMap(({ name, storage }) => (storage === "BIGINT" ? [name] : [])))

/** Beyond 2^53 the doubles of the trial are not the values; then no range is better than a wrong one. */
const asInteger = ({ min, max, ...column }: ProfiledColumn): ProfiledColumn => ({
  ...column,
  type: "integer",
  ...(Number.isSafeInteger(min) && Number.isSafeInteger(max) ? { min: min!, max: max! } : {}),
})

/** Dates whose days all fit a month number may have been read the wrong way round. */
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
  const notes = [...inspected.notes, ...refinement.notes, ...ambiguous(source, seen.columns)]
  const opened: Opened = { ...raw, lineage: { source, ops: refinement.ops } }
  const result: OpenedFile = {
    columns: seen.columns.map(({ profiled }) =>
      whole.has(profiled.name) ? asInteger(profiled) : profiled,
    ),
    rows: seen.rows,
    notes,
    table: yield* evaluate(opened, { notes, rows: seen.rows }),
  }
  return result
})

const unconvertible = ({ detail }: DataFailed): string | undefined =>
  typeof detail === "object" && detail !== null && "unconvertible" in detail
    ? String(detail["unconvertible"])
    : undefined

/** A column whose later rows are not what its first rows promised is read as text and looked at again. */
const mend = (
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
      return mend(session, file, { ...inspected, source })
    }),
  )
}

/** Opens a file as a table. */
export const openFile = (file: DataFile): Effect.Effect<OpenedFile, DataFailed> =>
  withSession([file.real], (session) =>
    Effect.flatMap(inspect(session, file), (inspected) => mend(session, file, inspected)),
  ).pipe(
    Effect.mapError((error) =>
      error.message.startsWith(file.path) ? error : failed(`${file.path}: ${error.message}`),
    ),
  )
