/** Reads missing values ("missing returns", "that have no score") and values of the table as conditions. */
import { words } from "./PhraseBook.ts"
import type { Reading } from "./Reading.ts"
import { readValues } from "./readValues.ts"

const missing = words(
  "missing, is missing, are missing, is empty, is null, is unknown, without a value, has no value, blank",
)
const lacking = words(
  "have no, has no, had no, having no, with no, without any, don't have a, do not have a, lack, lacking, lack a, had zero",
)
const kinds = words("score, value, rating, entry")

/** "tickets that have no satisfaction score": a number that is never missing is zero instead. */
const readMissing = (reading: Reading, at: number): void => {
  const before = reading.phrase(at, lacking)
  const match = before ?? reading.phrase(at, missing)
  if (match === undefined) return
  const end = at + match.length
  const preceding =
    before === undefined
      ? reading.mentions.find((one) => one.end === at && one.value === undefined)
      : undefined
  const mention = preceding ?? reading.mention(end)
  if (mention === undefined || mention.value !== undefined) return
  const column = reading.columnOf(mention)
  if (column === undefined) return
  const last = Math.max(mention.end, end)
  const kind = preceding === undefined ? reading.phrase(last, kinds) : undefined
  const place = { start: Math.min(mention.start, at), end: last + (kind?.length ?? 0) }
  reading.claim(`filter:${column.name}`, place.start, place.end)
  const isZero = column.nulls === undefined && column.min === 0 && before !== undefined
  if (isZero) reading.filter(column, "=", 0, place)
  else reading.filter(column, "is_null", undefined, place)
}

export const readConditions = (reading: Reading): void => {
  for (let at = 0; at < reading.tokens.length; at++) {
    readMissing(reading, at)
    const mention = reading.mention(at)
    if (mention?.value !== undefined) readValues(reading, mention)
  }
}
