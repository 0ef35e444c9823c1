/** Reads limits and extremes: "top 5", "the three worst", "highest". */
import type { Column } from "@planloom/tables"
import { numberAt } from "./numberWords.ts"
import { words } from "./PhraseBook.ts"
import { flagOf, isGroupable, isMeasurable } from "./columnKinds.ts"
import type { Reading } from "./Reading.ts"
import { matchColumns } from "./matchColumns.ts"
import { isOfPeople, readRowNoun, rowNounAt } from "./readRowNoun.ts"

const most = words(
  "top, best, highest, largest, biggest, greatest, most, leading, strongest, first, " +
    "best performing, best selling, top selling, top performing, most successful, " +
    "most popular",
)
const least = words(
  "bottom, worst, lowest, smallest, least, weakest, fewest, last, poorest, " +
    "worst performing, worst selling, least popular",
)
const asking = words("which, what, who, whose")
const frequent = words(
  "busiest, most common, most frequent, most frequently, most often, commonest",
)
const rare = words("least common, least frequent, rarest, quietest")
const timeUnits = words("hour, day, week, month, quarter, year")

type Order = "desc" | "asc"

interface Superlative {
  readonly order: Order
  readonly start: number
  readonly end: number
  /** What "heaviest" is the most of. */
  readonly of?: string
  /** "busiest": the most rows. */
  readonly counts?: boolean
}

const superlativeAt = (reading: Reading, start: number): Superlative | undefined => {
  const books = [
    [frequent, "desc", true],
    [rare, "asc", true],
    [reading.lexicon.extremes, "", false],
    [most, "desc", false],
    [least, "asc", false],
  ] as const
  for (const [book, order, counts] of books) {
    const match = reading.phrase(start, book)
    if (match === undefined) continue
    const end = start + match.length
    if (order !== "") return { order, start, end, counts }
    const [direction, of] = match.label.split(":") as [Order, string]
    // "best rated" without a rating is left for the plain reading of "best".
    const isKnown = match.length === 1 || matchColumns([of], of, reading.lexicon) !== undefined
    if (isKnown) return { order: direction, start, end, of }
  }
  return undefined
}

/** A number of rows; years and fractions are none. */
const limitAt = (reading: Reading, at: number): number | undefined => {
  const value = numberAt(reading, at)?.value ?? 0
  return Number.isInteger(value) && value > 0 && value < 1000 ? value : undefined
}

const isDividing = (reading: Reading, at: number): boolean => {
  const mention = reading.mention(at)
  return mention === undefined
    ? reading.phrase(at, reading.lexicon.grains) !== undefined
    : mention.value === undefined &&
        mention.columns.every((one) => isGroupable(one) && one.type !== "date")
}

/** Whether the noun at an index, of one or more words, is a plural. */
const isPlural = (reading: Reading, at: number): boolean => {
  const last = (reading.mention(at)?.end ?? at + 1) - 1
  return reading.tokens[last]?.word !== reading.stem(last)
}

/** "which region", "what month", "which car", "who": something to rank. */
const asksFor = (reading: Reading): { readonly plural: boolean } | undefined => {
  for (let at = 0; at < reading.tokens.length; at++) {
    const isWho =
      reading.stem(at) === "who" &&
      ["is", "was", "has", "had"].includes(reading.stem(at + 1)) &&
      isOfPeople(reading)
    const date = reading.stem(at) === "when" ? reading.dateColumn() : undefined
    if (date !== undefined) reading.timeColumn ||= date.name
    if (isWho || date !== undefined) {
      reading.claim(isWho ? ["analysis:ranking", "rows"] : "time", at)
      return { plural: false }
    }
    const match = reading.phrase(at, asking)
    if (match === undefined) continue
    const place = at + match.length
    const plural = isPlural(reading, place)
    const dividing = isDividing(reading, place)
    if (!dividing && (isDivided(reading) || readRowNoun(reading, place) === undefined)) continue
    if (!dividing) reading.claim("analysis:ranking", at, place)
    return { plural }
  }
  return undefined
}

const rank = (reading: Reading, order: Order, n: number | undefined) => {
  reading.analysis.add("ranking")
  if (n !== undefined) reading.constraints.push({ kind: "top_n", n, order })
}

/** The highest come first by default; of several only the lowest need a limit. */
const usual = (order: Order, plural: boolean): number | undefined =>
  plural ? (order === "asc" ? 5 : undefined) : 1

/** "smallest and largest body mass": the subject of the first extreme follows the second. */
const pastOther = (reading: Reading, at: number): number => {
  const joined = ["and", "or", "to", "/"].includes(reading.stem(at))
  const other = superlativeAt(reading, at + (reading.stem(at + 1) === "the" ? 2 : 1))
  return joined && other !== undefined ? other.end : at
}

/** Subjects that another measure may replace: "longest hours to resolve". */
const general = new Set(["length", "size", "height"])

const findExtreme = (reading: Reading, { end, order, start }: Superlative): void => {
  const label = order === "desc" ? "maximum" : "minimum"
  reading.claim(`analysis:${label}`, start, end)
  reading.analysis.add(label)
}

/** The measure of "heaviest", "cheapest"; asks if it is not plain. */
const readSubject = (reading: Reading, found: Superlative, of: string): Column | undefined => {
  const { end, order, start } = found
  const column = reading.subjectOf(of, order)
  const said = reading.textOf(start, end)
  if (column !== undefined) {
    reading.notes.push(`"${said}" read as ${order === "desc" ? "most" : "least"} ${column.name}`)
    reading.metrics.add(column.name)
    reading.claim(`metrics:${column.name}`, start, end)
    return column
  }
  const named = reading.mention(end)
  const isOwn = named?.value === undefined && named?.columns.some(isMeasurable) === true
  const names = (matchColumns([of], of, reading.lexicon)?.columns ?? [])
    .filter(isMeasurable)
    .map(({ name }) => name)
  if (general.has(of) && isOwn) findExtreme(reading, found)
  else if (names.length > 1)
    reading.lacks(
      start,
      end,
      `Which do you mean by "${said}": ${names.join(" or ")}?`,
      names.map((name) => `${order === "desc" ? "highest" : "lowest"} ${name}`),
    )
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

const isDivided = (reading: Reading): boolean =>
  reading.groupBy.size > 0 ||
  reading.grain !== "unknown" ||
  reading.tokens.some((_, at) => isDividing(reading, at))

const readSuperlative = (
  reading: Reading,
  found: Superlative,
  asked: { readonly plural: boolean } | undefined,
): void => {
  const { counts, of, order, start } = found
  const word = reading.stem(start)
  const isOrdinal = ["first", "last", "leading"].includes(word) && found.end - start === 1
  const after = limitAt(reading, found.end)
  const before = isOrdinal ? undefined : limitAt(reading, start - 1)
  const n = after ?? before
  const from = after === undefined && before !== undefined ? start - 1 : start
  const end = after === undefined ? found.end : found.end + 1
  // "last 3 months" is a period; "at most" compares; "most of" is a part.
  if (isOrdinal && (n === undefined || reading.phrase(end, timeUnits) !== undefined)) return
  if (n === undefined && (reading.stem(start - 1) === "at" || reading.stem(end) === "of")) return
  if (of !== undefined && readSubject(reading, found, of) === undefined) return
  const counted = ["most", "fewest", "least"].includes(word) ? countedAt(reading, end) : undefined
  const isCount = counts === true || counted !== undefined
  if (isCount && !isDivided(reading) && asked === undefined) return
  const divides = isDividing(reading, end)
  const plural = isPlural(reading, end)
  const isNoun = ["best", "worst", "top", "bottom"].includes(word) || found.end - start > 1
  const ofRows = n !== undefined || of !== undefined || isNoun
  if (counted !== undefined) readRowNoun(reading, counted)
  else if (!divides && ofRows) readRowNoun(reading, end)
  const isRow = ofRows && reading.usesAt(end).includes("rows")
  if (
    n === undefined &&
    !isCount &&
    of === undefined &&
    asked === undefined &&
    !divides &&
    !isRow
  ) {
    const isMeasure = reading.mention(pastOther(reading, end)) !== undefined
    if (isMeasure && word !== "most" && word !== "least") findExtreme(reading, found)
    return
  }
  reading.claim(["analysis:ranking", "top_n", ...(isCount ? ["analysis:count"] : [])], from, end)
  if (isCount) reading.analysis.add("count")
  const [group] = reading.mention(end)?.columns.filter(isGroupable) ?? []
  if (counts === true && divides && group !== undefined) {
    reading.groupBy.add(group.name)
    reading.claim(`group_by:${group.name}`, end, reading.mention(end)?.end ?? end)
  }
  if (of !== undefined) reading.doubt(start, found.end)
  const several =
    counted === undefined
      ? of === undefined
        ? (asked?.plural ?? plural)
        : plural
      : (asked?.plural ?? reading.groupBy.size !== 1)
  rank(reading, order, n ?? usual(order, several))
}

/** "the 5 zones with the highest fares": the number stands before the group, apart from its extreme. */
const readHowMany = (reading: Reading): void => {
  const extreme = (["maximum", "minimum"] as const).find((one) => reading.analysis.has(one))
  if (!reading.analysis.has("ranking") && extreme === undefined) return
  const at = reading.tokens.findIndex(
    (_, place) =>
      !reading.isTaken(place) &&
      limitAt(reading, place) !== undefined &&
      reading.tokens[place]?.kind === "number" &&
      isDividing(reading, place + 1) &&
      isPlural(reading, place + 1),
  )
  const n = limitAt(reading, at)
  if (at < 0 || n === undefined) return
  const known = reading.constraints.findIndex(({ kind }) => kind === "top_n")
  const old = reading.constraints[known]
  const order = old?.kind === "top_n" ? old.order : extreme === "minimum" ? "asc" : "desc"
  // "5 regions with the highest revenue" ranks regions: it is no maximum of rows.
  if (extreme !== undefined) {
    reading.analysis.delete(extreme)
    reading.follow("analysis:ranking", `analysis:${extreme}`)
  }
  if (known >= 0) reading.constraints.splice(known, 1)
  reading.claim(["analysis:ranking", "top_n"], at, at + 1)
  rank(reading, order, n)
}

export const readLimits = (reading: Reading): void => {
  const isRanked = reading.tokens.some((_, at) => superlativeAt(reading, at) !== undefined)
  const asked = isRanked ? asksFor(reading) : undefined
  for (let at = 0; at < reading.tokens.length; at++) {
    const found = superlativeAt(reading, at)
    if (found !== undefined) readSuperlative(reading, found, asked)
  }
  readHowMany(reading)
}
