/** Reads yes/no columns as conditions: "how many candies are fruity", "not vegetarian", "with nonsense". */
import type { Column } from "@planloom/tables"
import { words } from "./PhraseBook.ts"
import type { Reading } from "./Reading.ts"

const led = words(
  "are",
  "is",
  "was",
  "were",
  "with",
  "with a",
  "has",
  "have",
  "had",
  "both",
  "and",
  "that are",
  "who are",
  "that were",
  "who were",
  "which are",
  "being",
)

/** What yes and no are in this column; undefined if it holds more than the two. */
const flagOf = ({
  distinct,
  type,
}: Column): { readonly yes: string | number; readonly no: string | number } | undefined => {
  const values = (distinct ?? []).filter((value) => value !== null)
  if (type === "boolean") return { yes: "true", no: "false" }
  const isBinary =
    type === "integer" && values.length === 2 && values.includes(0) && values.includes(1)
  return isBinary ? { yes: 1, no: 0 } : undefined
}

export const readFlags = (reading: Reading): void => {
  for (const { columns, end, start, value } of reading.mentions) {
    const [column] = columns
    const flag = column === undefined || columns.length > 1 ? undefined : flagOf(column)
    if (value !== undefined || flag === undefined || column === undefined) continue
    if (!reading.areFree(start, end)) continue
    const refusal = reading.phraseBefore(start, reading.lexicon.negations)
    const before = refusal?.start ?? start
    const lead = reading.phraseBefore(before, led)
    const isJoined = lead !== undefined && reading.stem(lead.start) === "and"
    const isFirst = isJoined && !reading.constraints.some((one) => one.kind === "filter")
    if (refusal === undefined && (lead === undefined || isFirst)) continue
    reading.claim(`filter:${column.name}`, lead?.start ?? before, end)
    const other = lead === undefined ? undefined : reading.phraseBefore(lead.start, led)
    if (other !== undefined) reading.claim(`filter:${column.name}`, other.start, lead?.start)
    reading.filter(column, "=", refusal === undefined ? flag.yes : flag.no)
  }
}
