/** Reads conditions by values of the table: "in Europe", "excluding Toys", "North vs South". */
import type { Column } from "@planloom/tables"
import { words } from "./PhraseBook.ts"
import type { Reading } from "./Reading.ts"
import { VALUE } from "./findMentions.ts"
import type { Mention } from "./findMentions.ts"

const limiting = words(
  "in, for, from, of, only, just, within, only in, only for, just for, just in, at, on, " +
    "with, by, to, is, are, =, equals, equal to, about, only from, where, called, named, " +
    "like, inside, among, amongst, across, during, than in",
)
const fillers = words("the, a, an, our, all, any, both, either, and, or")

/** The comparison that the words before a value express, skipping articles and the column's name. */
const stanceBefore = (
  reading: Reading,
  at: number,
  column: Column,
): { readonly negated: boolean; readonly start: number } => {
  let start = at
  let negated = false
  for (let steps = 0; steps < 6; steps++) {
    if (start > 0 && reading.isTaken(start - 1)) break
    const refusal = reading.phraseBefore(start, reading.lexicon.negations)
    // "not only North" keeps the others, too.
    if (["only", "just"].includes(reading.stem(start)) && refusal !== undefined)
      return { negated, start: at }
    if (refusal !== undefined) return { negated: true, start: refusal.start }
    // "number of musicians" counts them.
    if (reading.stem(start - 1) === "of" && reading.phraseBefore(start, reading.lexicon.analysis))
      break
    const filler = reading.phraseBefore(start, fillers) ?? reading.phraseBefore(start, limiting)
    const named = reading.mentions.find(
      (one) => one.end === start && one.value === undefined && one.columns.includes(column),
    )
    const sign = reading.tokens[start - 1]?.kind === "sign" ? reading.tokens[start - 1] : undefined
    if (filler !== undefined) start = filler.start
    else if (named !== undefined) start = named.start
    else if (sign?.text === "=" || sign?.text === ":") start -= 1
    else if (sign !== undefined && ["!=", "<>", "≠"].includes(sign.text)) {
      negated = true
      start -= 1
    } else break
  }
  return { negated, start }
}

/** "grouped by region" is not a filter: a name after "by" remains a group. */
const keepsGroup = (reading: Reading, start: number, at: number) => {
  for (let place = start; place < at; place++) {
    if (["by", "per", "each", "every"].includes(reading.stem(place))) return true
  }
  return false
}

const joints = words(
  "and, or, vs, versus, against, with, to, compared to, compared with, &, /, nor, than",
)
const versus = words("vs, versus, against, compared to, compared with, than")

const columnFor = (reading: Reading, mention: Mention): Column | undefined => {
  // "destination Paris": the column named next to the value decides.
  const named = mention.columns.filter((column) =>
    reading.mentions.some(
      (one) =>
        one.value === undefined &&
        one.columns.includes(column) &&
        (Math.abs(one.end - mention.start) <= 2 || Math.abs(one.start - mention.end) <= 1),
    ),
  )
  return named.length === 1 ? named[0] : reading.columnOf(mention)
}

const jointAt = (
  reading: Reading,
  at: number,
): { length: number; compares: boolean } | undefined => {
  const sign = reading.tokens[at]
  if (sign?.kind === "sign" && [",", "/", "&"].includes(sign.text) && !reading.isTaken(at)) {
    const also = reading.phrase(at + 1, joints)
    return { length: 1 + (also?.length ?? 0), compares: false }
  }
  const match = reading.phrase(at, joints)
  if (match === undefined) return undefined
  return { length: match.length, compares: reading.phrase(at, versus) !== undefined }
}

/** One value, or several of one column joined by "and", commas or "vs". */
export const readValues = (reading: Reading, first: Mention): void => {
  const column = columnFor(reading, first)
  if (column === undefined || first.value === undefined) {
    reading.block(first.start, first.end)
    return
  }
  const values = [first.value]
  let { end } = first
  let compared = false
  for (;;) {
    const joint = jointAt(reading, end)
    const place = end + (joint?.length ?? 0)
    const article = reading.phrase(place, fillers)?.length ?? 0
    const next = joint === undefined ? undefined : reading.mention(place + article)
    if (next?.value === undefined || !next.columns.includes(column)) break
    values.push(next.value)
    compared ||= joint?.compares === true
    ;({ end } = next)
  }
  const { negated, start } = stanceBefore(reading, first.start, column)
  const grouped = keepsGroup(reading, start, first.start)
  const trailing = reading.mention(end)
  // "the North region": the name after the value belongs to it.
  const named = trailing?.value === undefined && trailing?.columns.includes(column) === true
  reading.claim(
    `filter:${column.name}`,
    grouped ? first.start : start,
    named ? (trailing?.end ?? end) : end,
  )
  const last = named ? (trailing?.end ?? end) : end
  if (["only", "alone"].includes(reading.stem(last))) reading.claim(`filter:${column.name}`, last)
  const unique = [...new Set(values)]
  const only = unique.length === 1 ? (unique[0] as string) : unique
  reading.filter(
    column,
    negated ? (unique.length === 1 ? "!=" : "not_in") : unique.length === 1 ? "=" : "in",
    only,
    { start: first.start, end: last },
  )
  if (first.quality < VALUE) reading.interpret(first, column)
  if (grouped) {
    reading.groupBy.add(column.name)
    reading.follow(`group_by:${column.name}`, `filter:${column.name}`)
  }
  const asked = reading.tokens.some(({ stem }) =>
    ["compare", "comparison", "difference", "comparing", "differ", "better", "versu"].includes(
      stem,
    ),
  )
  if (unique.length > 1 && !negated && (compared || asked)) {
    reading.analysis.add("compare")
    reading.groupBy.add(column.name)
    reading.follow("analysis:compare", `filter:${column.name}`)
    reading.follow(`group_by:${column.name}`, `filter:${column.name}`)
  }
}
