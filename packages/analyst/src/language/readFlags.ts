/** Reads yes/no columns as conditions: "how many were returned", "not vegetarian", "uninsured patients", "smokers". */
import { english, readWords } from "@planloom/planning/reading"
import { flagOf } from "./columnKinds.ts"
import { words } from "./PhraseBook.ts"
import type { Reading } from "./Reading.ts"

const led = words(
  "are, is, was, were, with, with a, with an, has, have, had, has a, have a, had a, both, and, that are, who are, " +
    "that were, who were, which are, being, been, got, who, that, have been, has been, use, uses, used",
)
const dividing = words(
  "by, per, each, every, which, what, across, for each, for every, in each, group by, grouped by, by number of",
)
const status = words("status, flag, state, indicator, yes or no")

/** "not fruity", "no partner", "non-smokers": where the negation before a name starts. */
const negationBefore = (reading: Reading, at: number): number | undefined => {
  const joined = reading.stem(at - 1) === "-" && reading.stem(at - 2) === "non"
  return joined ? at - 2 : reading.phraseBefore(at, reading.lexicon.negations)?.start
}

/** "written by students" says who did, where "orders by status" divides. */
const isPast = (reading: Reading, at: number): boolean =>
  readWords(reading.tokens[at]?.word ?? "", english)[0]?.operator === "past"

export const readFlags = (reading: Reading): void => {
  const asserted = new Map<string, Set<boolean>>()
  for (const mention of reading.mentions) {
    const { columns, end, start, value } = mention
    const [column] = columns
    const flag = column === undefined || columns.length > 1 ? undefined : flagOf(column)
    if (value !== undefined || flag === undefined || column === undefined) continue
    if (!reading.areFree(start, end) || reading.isTitled(start, end + 1)) continue
    const isGroup = reading.phraseBefore(start, dividing) && !isPast(reading, start - 2)
    if (isGroup === true || reading.phrase(end, status) !== undefined) continue
    const negation = negationBefore(reading, start)
    const before = negation ?? start
    const agent = reading.stem(before - 1) === "by" && isPast(reading, before - 2)
    const lead = agent ? { start: before - 2 } : reading.phraseBefore(before, led)
    const isNegated = (negation === undefined) === (mention.negated === true)
    if (flag.yes === undefined && !isNegated && lead === undefined) continue
    const other = lead === undefined ? undefined : reading.phraseBefore(lead.start, led)
    reading.claim(`filter:${column.name}`, other?.start ?? lead?.start ?? before, end)
    if (mention.quality < SURE) reading.interpret(mention, column)
    const known = asserted.get(column.name) ?? new Set()
    asserted.set(column.name, known.add(!isNegated))
    if (known.size === 2) {
      // "smokers and non-smokers" are all rows, in two groups.
      reading.unfilter(column)
      reading.groupBy.add(column.name)
      reading.follow(`group_by:${column.name}`, `filter:${column.name}`)
      continue
    }
    const place = { start, end }
    if (isNegated) reading.filter(column, "=", flag.no, place)
    else if (flag.yes === undefined) reading.filter(column, "!=", flag.no, place)
    else reading.filter(column, "=", flag.yes, place)
  }
}

/** From this quality on the words are the column's own. */
const SURE = 0.8
