/** Reads limits and extremes: "top 5", "the three worst", "highest", "5 zones with the most rides". */
import type { Column } from "@planloom/tables"
import { flagOf, isGroupable, isMeasurable } from "../columnKinds.ts"
import { reader, type Found } from "../Form.ts"
import type { Superlative } from "../Item.ts"
import { wordsOf } from "../findItems.ts"
import type { Reading } from "../Reading.ts"
import { matchColumns } from "../matchColumns.ts"
import { readRowNoun, rowNounAt } from "./readRowNoun.ts"
import { setGrain } from "../setGrain.ts"

/** Whether the noun at an index, of one or more words, is a plural. */
const isPlural = (reading: Reading, at: number): boolean => {
  const last = (reading.mention(at)?.end ?? at + 1) - 1
  return reading.tokens[last]?.word !== reading.stem(last)
}

const isDividing = (reading: Reading, at: number): boolean => {
  const mention = reading.mention(at)
  const isDate = mention?.value === undefined && mention?.columns[0]?.type === "date"
  return mention === undefined || isDate
    ? reading.phrase(at, reading.lexicon.grains) !== undefined
    : mention.value === undefined &&
        rowNounAt(reading, at) === undefined &&
        mention.columns.every((one) => isGroupable(one) && one.type !== "date")
}

const isDivided = (reading: Reading): boolean =>
  reading.groupBy.size > 0 ||
  reading.grain !== "unknown" ||
  reading.tokens.some((_, at) => isDividing(reading, at))

/** "which region", "what month", "which car": something to rank. */
const asksFor = (reading: Reading): { readonly plural: boolean } | undefined => {
  for (const [at, { stem }] of reading.tokens.entries()) {
    if (!["which", "what", "who", "whose"].includes(stem) || reading.isTaken(at)) continue
    const plural = isPlural(reading, at + 1)
    if (isDividing(reading, at + 1)) return { plural }
    if (isDivided(reading) || readRowNoun(reading, at + 1) === undefined) continue
    reading.claim("analysis:ranking", at)
    return { plural }
  }
  return undefined
}

/** The highest come first by default; of several only the lowest need a limit. */
const rank = (reading: Reading, { order }: Superlative, n: number | undefined, plural: boolean) => {
  reading.analysis.add("ranking")
  const usual = plural ? (order === "asc" ? 5 : undefined) : 1
  const limit = n ?? usual
  if (limit !== undefined) reading.constraints.push({ kind: "top_n", n: limit, order })
}

const findExtreme = (reading: Reading, { order }: Superlative, { end, start }: Found): true => {
  const label = order === "desc" ? "maximum" : "minimum"
  reading.claim(`analysis:${label}`, start, end)
  reading.analysis.add(label)
  return true
}

/** The measure of "heaviest", "cheapest"; asks if it is not plain. */
const readSubject = (
  reading: Reading,
  one: Superlative & { readonly of: string },
  found: Found,
): Column | undefined => {
  const { end, start } = found.first("SUPER") ?? found
  const column = reading.subjectOf(one.of, one.order)
  const said = reading.textOf(start, end)
  const degree = one.order === "desc" ? "most" : "least"
  if (column !== undefined) {
    reading.notes.push(`"${said}" read as ${degree} ${column.name}`)
    reading.metrics.add(column.name)
    reading.claim(`metrics:${column.name}`, start, end)
    return column
  }
  const names = (matchColumns([one.of], one.of, reading.lexicon)?.columns ?? [])
    .filter(isMeasurable)
    .map(({ name }) => name)
  const text = `Which do you mean by "${said}": ${names.join(" or ")}?`
  const says = names.map((name) => `${degree === "most" ? "highest" : "lowest"} ${name}`)
  if (names.length > 1) reading.lacks(start, end, text, says)
  else reading.lacks(start, end)
  return undefined
}

/** The noun for the rows behind "most", past conditions on it: "the most returned orders". */
const countedAt = (reading: Reading, from: number): number | undefined => {
  let at = from
  for (;;) {
    if (rowNounAt(reading, at) !== undefined) return isPlural(reading, at) ? at : undefined
    const next = reading.mention(at)
    const isLimit =
      next?.value !== undefined || next?.columns.some((one) => flagOf(one) !== undefined) === true
    if (next === undefined || !isLimit) return undefined
    at = next.end
  }
}

/** A number of rows; years and fractions are none. */
const isLimit = (n: number): boolean => Number.isInteger(n) && n > 0 && n < 1000

const readSuperlative = (found: Found, reading: Reading): boolean => {
  const [item, n] = [found.first("SUPER"), found.of("NUMBER")]
  if (item === undefined || (n !== undefined && !isLimit(n))) return false
  const { of, order } = item.of
  const word = reading.stem(item.start)
  const isOne = item.end - item.start === 1
  // "last 3 months" is a period; "at most" compares; "most of" is a part.
  if (isOne && ["first", "last", "leading"].includes(word)) {
    const isAfter = (found.first("NUMBER")?.start ?? -1) > item.start
    if (!isAfter || reading.phrase(found.end, wordsOf("UNIT_OF_TIME")) !== undefined) return false
  }
  if (n === undefined && (reading.stem(item.start - 1) === "at" || reading.stem(item.end) === "of"))
    return false
  const isOf = of !== undefined && of !== "rows"
  if (isOf && readSubject(reading, { of, order }, found) === undefined) return true
  const counts = ["most", "fewest", "least"].includes(word)
  const counted = counts && isOne ? countedAt(reading, found.end) : undefined
  const isCount = of === "rows" || counted !== undefined
  const { asked } = reading
  if (isCount && !isDivided(reading)) return false
  const divides = isDividing(reading, found.end)
  const plural = isPlural(reading, found.end)
  const isNoun = ["best", "worst", "top", "bottom"].includes(word) || !isOne
  const ofRows = n !== undefined || of !== undefined || isNoun
  if (counted !== undefined) readRowNoun(reading, counted)
  else if (!divides && ofRows) readRowNoun(reading, found.end)
  const isRow = ofRows && reading.usesAt(found.end).includes("rows")
  if (n === undefined && !isCount && !isOf && asked === undefined && !divides && !isRow)
    return (
      reading.mention(found.end) !== undefined && !counts && findExtreme(reading, item.of, found)
    )
  reading.claim(
    ["analysis:ranking", "top_n", ...(isCount ? ["analysis:count"] : [])],
    found.start,
    found.end,
  )
  if (isCount) reading.analysis.add("count")
  const group = reading.mention(found.end)
  const [column] = group?.columns.filter(isGroupable) ?? []
  if (of === "rows" && divides && group !== undefined && column !== undefined)
    reading.divideBy(column, group.start, group.end)
  if (isOf) reading.doubt(item.start, item.end)
  const several = counted === undefined ? plural : reading.groupBy.size !== 1
  rank(reading, item.of, n, isOf ? plural : (asked?.plural ?? several))
  return true
}

/** "5 zones with the most rides", "the 2 makers with the highest price": ranks groups, not rows. */
const readChosen = (found: Found, reading: Reading): boolean => {
  const [group, item, n] = [found.first("PART"), found.first("SUPER"), found.of("NUMBER")]
  if (group === undefined || item === undefined || (n !== undefined && !isLimit(n))) return false
  const plural = isPlural(reading, group.end - 1)
  const counted = item.of.of === undefined ? countedAt(reading, found.end) : undefined
  if (item.of.of !== undefined || (n !== undefined && !plural)) return false
  if (typeof group.of === "string") setGrain(reading, group.of, group)
  else {
    const column = reading.columnOf(group.of, isGroupable)
    if (column === undefined) return true
    reading.divideBy(column, group.start, group.end)
  }
  const isCount = counted !== undefined
  if (isCount) {
    readRowNoun(reading, counted)
    reading.analysis.add("count")
  }
  reading.claimRest(["analysis:ranking", "top_n", ...(isCount ? ["analysis:count"] : [])], found)
  rank(reading, item.of, n, plural)
  return true
}

const rules = reader([
  ["NUMBER? PART HAVING the? SUPER", readChosen],
  ["NUMBER? SUPER NUMBER?", readSuperlative],
])

export const readLimits = (reading: Reading): void => {
  const { extremes } = reading.lexicon
  const isRanked = reading.tokens.some(
    (_, at) => reading.phrase(at, extremes) ?? reading.phrase(at, wordsOf("MOST")),
  )
  reading.asked = isRanked ? asksFor(reading) : undefined
  rules(reading)
}
