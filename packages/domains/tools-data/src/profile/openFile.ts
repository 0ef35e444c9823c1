/** Opens a file as a profile and a table handle: as a workbook, as text in some encoding and layout, or as the database reads it. */
import * as Effect from "effect/Effect"
import { failed, refused, type DataFailed } from "../DataFailed.ts"
import { withSession } from "../duckdb/Session.ts"
import { readable } from "../file/copies.ts"
import { isDelimited, type DataFile } from "../file/DataFile.ts"
import { encodingOf, headOf, textOf, UTF_8, WESTERN } from "../file/encoding.ts"
import { MAX_RECORDS, outlineBy, outlineOf, type Outline } from "../file/layout.ts"
import { recordsOf, type Record } from "../file/records.ts"
import type { Copy } from "../file/Source.ts"
import { sheetOf, sheetsOf } from "../file/workbook.ts"
import { inspect, type Written } from "./inspect.ts"
import { readTyped, type OpenedFile } from "./readTyped.ts"
import { regularLayout } from "./regularLayout.ts"

const openWritten = Effect.fnUntraced(function* (
  file: DataFile,
  written: Written,
  notes: ReadonlyArray<string>,
) {
  const copy = yield* readable(file, written.copy)
  return yield* withSession([copy.real], (session) =>
    Effect.flatMap(inspect(session, copy, written), (inspected) =>
      readTyped(session, copy, { ...inspected, notes: [...notes, ...inspected.notes] }),
    ),
  )
}, Effect.scoped)

const isUnreadable = ({ detail }: DataFailed, part: "layout" | "encoding"): boolean =>
  typeof detail === "object" && detail !== null && "unreadable" in detail
    ? detail["unreadable"] === part
    : false

/** Writes a copy with regular rows, and opens that. */
const openRegular = Effect.fnUntraced(function* (
  file: DataFile,
  { records, ...from }: From,
  outline: Outline,
  notes: ReadonlyArray<string>,
) {
  const regular = yield* regularLayout(file, records, outline)
  const copy: Copy = { ...from, layout: regular.layout }
  return yield* openWritten(file, { copy, outline: undefined }, [...notes, ...regular.notes])
})

/** Where the rows of a copy come from. */
type From = { readonly records: () => AsyncIterable<Record> } & (
  | { readonly encoding: string }
  | { readonly sheet: string }
)

const openDelimited = (
  file: DataFile,
  encoding: string,
  notes: ReadonlyArray<string>,
): Effect.Effect<OpenedFile, DataFailed> => {
  const head = new TextDecoder(encoding).decode(headOf(file), { stream: true })
  const outline = outlineOf(head, file.format === "tsv" ? "\t" : undefined)
  const regular = (layout: Outline) => {
    const records = () => recordsOf(textOf(file, encoding), layout.delimiter)
    return openRegular(file, { encoding, records }, layout, notes)
  }
  if (outline?.isRegular === false) return regular(outline)
  const copy = encoding === UTF_8 ? undefined : { encoding }
  return openWritten(file, { copy, outline }, notes).pipe(
    Effect.catchIf(
      (error) => outline !== undefined && isUnreadable(error, "layout"),
      () => regular(outline!),
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

const fromWorkbook = <A>(file: DataFile, read: () => Promise<A>) =>
  Effect.tryPromise({
    try: read,
    catch: (error) => failed(`${file.path} cannot be read: ${(error as Error).message}`),
  })

const openSheet = Effect.fnUntraced(function* (file: DataFile, wanted: string | undefined) {
  const names = yield* fromWorkbook(file, () => sheetsOf(file))
  const name = wanted ?? names[0]
  if (name === undefined || !names.includes(name))
    return yield* refused(
      `${file.path} has no sheet ${JSON.stringify(name ?? "")}; it has ${names.join(", ")}`,
    )
  const { notes, records } = yield* fromWorkbook(file, () => sheetOf(file, name))
  const outline = outlineBy(",", yield* fromWorkbook(file, () => firstOf(records())))
  if (outline === undefined) return yield* failed(`${file.path} has no values in the sheet ${name}`)
  const first =
    names.length > 1 && wanted === undefined
      ? [`The workbook has the sheets ${names.join(", ")}; ${name} was read.`]
      : []
  return yield* openRegular(file, { sheet: name, records }, outline, [...first, ...notes])
})

const firstOf = async (records: AsyncIterable<Record>): Promise<ReadonlyArray<Record>> => {
  const found: Array<Record> = []
  for await (const record of records) if (found.push(record) === MAX_RECORDS) break
  return found
}

/** What the caller says of a file. */
export interface Declared {
  readonly encoding?: string | undefined
  /** A sheet of a workbook; the first visible one unless given. */
  readonly sheet?: string | undefined
}

const openBy = (file: DataFile, { encoding, sheet }: Declared) => {
  if (file.format === "xlsx") return openSheet(file, sheet)
  return isDelimited(file.format)
    ? openText(file, encoding)
    : openWritten(file, { copy: undefined, outline: undefined }, [])
}

/** Opens a file as a table. */
export const openFile = (
  file: DataFile,
  declared: Declared = {},
): Effect.Effect<OpenedFile, DataFailed> =>
  openBy(file, declared).pipe(
    Effect.mapError((error) =>
      error.message.startsWith(file.path) ? error : failed(`${file.path}: ${error.message}`),
    ),
  )
