/** Opens a file as a profile and a table handle: sniffs types, verifies them, corrects them, profiles. */
import * as Effect from "effect/Effect"
import { failed, type DataFailed } from "../DataFailed.ts"
import { evaluate, type Opened } from "../duckdb/evaluate.ts"
import { withSession, type Session } from "../duckdb/Session.ts"
import { readable } from "../file/copies.ts"
import type { DataFile } from "../file/DataFile.ts"
import { encodingOf, headOf, UTF_8, WESTERN } from "../file/encoding.ts"
import { outlineOf, type Outline } from "../file/layout.ts"
import type { Copy, Source, Storage } from "../file/Source.ts"
import type { Table } from "../table/Table.ts"
import { inspect, isDelimited, isSampled, type Inspected, type Written } from "./inspect.ts"
import { profile, type DataProfile, type ProfiledColumn, type Seen } from "./profile.ts"
import { dayFirst, refine } from "./refine.ts"
import { regularLayout } from "./regularLayout.ts"

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

const openWritten = Effect.fnUntraced(function* (
  file: DataFile,
  written: Written,
  notes: ReadonlyArray<string>,
) {
  const copy = yield* readable(file, written.copy)
  return yield* withSession([copy.real], (session) =>
    Effect.flatMap(inspect(session, copy, written), (inspected) =>
      readCorrected(session, copy, { ...inspected, notes: [...notes, ...inspected.notes] }),
    ),
  )
})

const isUnreadable = ({ detail }: DataFailed, part: "layout" | "encoding"): boolean =>
  typeof detail === "object" && detail !== null && "unreadable" in detail
    ? detail["unreadable"] === part
    : false

/** Writes a copy with regular rows, and opens that. */
const openRegular = Effect.fnUntraced(function* (
  file: DataFile,
  encoding: string,
  outline: Outline,
  notes: ReadonlyArray<string>,
) {
  const regular = yield* regularLayout(file, encoding, outline)
  const copy: Copy = { encoding, layout: regular.layout }
  return yield* openWritten(file, { copy, outline: undefined }, [...notes, ...regular.notes])
})

const openDelimited = (
  file: DataFile,
  encoding: string,
  notes: ReadonlyArray<string>,
): Effect.Effect<OpenedFile, DataFailed> => {
  const head = new TextDecoder(encoding).decode(headOf(file), { stream: true })
  const outline = outlineOf(head, file.format === "tsv" ? "\t" : undefined)
  if (outline?.isRegular === false) return openRegular(file, encoding, outline, notes)
  const copy = encoding === UTF_8 ? undefined : { encoding }
  return openWritten(file, { copy, outline }, notes).pipe(
    Effect.catchIf(
      (error) => outline !== undefined && isUnreadable(error, "layout"),
      () => openRegular(file, encoding, outline!, notes),
    ),
  )
}

const WESTERN_NOTE =
  "The file is not UTF-8; it was read as Windows-1252. If letters look wrong, name its encoding."

const openText = Effect.fnUntraced(function* (file: DataFile, declared: string | undefined) {
  const encoding = yield* encodingOf(file, declared)
  const isGuess = declared === undefined && encoding === WESTERN
  return yield* openDelimited(file, encoding, isGuess ? [WESTERN_NOTE] : []).pipe(
    // Bytes that are no UTF-8 may come after the head.
    Effect.catchIf(
      (error) => declared === undefined && isUnreadable(error, "encoding"),
      () => openDelimited(file, WESTERN, [WESTERN_NOTE]),
    ),
  )
})

/** Opens a file as a table. */
export const openFile = (
  file: DataFile,
  declared: { readonly encoding?: string | undefined } = {},
): Effect.Effect<OpenedFile, DataFailed> =>
  (isDelimited(file)
    ? openText(file, declared.encoding)
    : openWritten(file, { copy: undefined, outline: undefined }, [])
  ).pipe(
    Effect.mapError((error) =>
      error.message.startsWith(file.path) ? error : failed(`${file.path}: ${error.message}`),
    ),
  )
