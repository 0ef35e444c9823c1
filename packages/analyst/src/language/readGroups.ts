/** Reads groups of rows: "by region and category", "per month", "for each product", "which country". */
import { words } from "./PhraseBook.ts"
import { isGroupable, isMeasurable } from "./columnKinds.ts"
import type { Reading } from "./Reading.ts"
import type { Mention } from "./findMentions.ts"
import { EXACT } from "./matchColumns.ts"
import { grainAt, setGrain } from "./readGrains.ts"
import { readRowNoun, rowNounAt } from "./readRowNoun.ts"

const markers = words(
  "by, per, for each, for every, for all, in each, in every, each, every, across, " +
    "across all, among, amongst, grouped by, group by, split by, split into, broken down by, " +
    "break down by, breakdown by, segmented by, separated by, separately for, divided by, " +
    "within each, according to, depending on, for the different, between, of each, " +
    "from each, on each, at each, versus each, by each, through each, via, by the, " +
    "across the, into",
)
const asking = words(
  "which, what, whose, compare, comparing, compare the, rank, rank the, what are the",
)
const ordering = words(
  "sorted by, sort by, ordered by, order by, ranked by, rank by, in order of, top by, " +
    "highest by, best by",
)
const articles = words(
  "the, each, every, all, their, our, its, different, both, a, an, various, my, any, " +
    "individual, number of, amount of, level of, kind of",
)
const joints = words(
  "and, and by, and per, and for each, then by, then, as well as, as well as by, by, per, " +
    "or, plus, and then by, along with, and also by, and each",
)

const nounEnd = (reading: Reading, at: number): number => {
  const token = reading.tokens[at]
  const silent = reading.phrase(at, reading.lexicon.common) !== undefined
  const isAnalysis = reading.phrase(at, reading.lexicon.analysis) !== undefined
  const good = token?.kind === "word" && !reading.isTaken(at) && !silent && !isAnalysis
  return good ? at + 1 : at
}

/** "top 3 channels by satisfaction": a number that could group, too, is the ranking metric. */
const ranksBy = (reading: Reading, { columns, start }: Mention): boolean =>
  reading.stem(start - 1) === "by" &&
  columns.every(isMeasurable) &&
  reading.constraints.some(({ kind }) => kind === "top_n")

/** One group after "by": returns its end, or undefined if nothing there groups rows. */
const readItem = (reading: Reading, at: number, strict: boolean): number | undefined => {
  const grain = grainAt(reading, at)
  const mention = reading.mention(at)
  const isLonger = mention !== undefined && mention.end > at + (grain?.length ?? 0)
  const exact = (mention?.quality === 1 || isLonger) && mention?.value === undefined
  if (grain !== undefined && !(exact && mention?.columns.some(({ type }) => type !== "date"))) {
    setGrain(reading, grain.grain, at, at + grain.length)
    return at + grain.length
  }
  if (mention !== undefined && mention.value === undefined) {
    const dividing = mention.columns.some(isGroupable)
    if (!dividing || ranksBy(reading, mention)) return undefined
    const column = reading.columnOf(mention, isGroupable)
    if (column === undefined) reading.block(mention.start, mention.end)
    else if (column.type === "date") {
      reading.timeColumn = column.name
      reading.claim("time", mention.start, mention.end)
    } else {
      reading.groupBy.add(column.name)
      reading.claim(`group_by:${column.name}`, mention.start, mention.end)
    }
    return mention.end
  }
  if (!strict) return undefined
  const end = nounEnd(reading, at)
  if (end === at) return undefined
  // A compound: "by customer segment".
  const last = nounEnd(reading, end)
  reading.lacks(at, last)
  return last
}

const pastArticles = (reading: Reading, at: number): number => {
  let place = at
  for (
    let match = reading.phrase(place, articles);
    match !== undefined;
    match = reading.phrase(place, articles)
  ) {
    place += match.length
  }
  return place
}

const readList = (reading: Reading, at: number, strict: boolean): number => {
  let end = readItem(reading, pastArticles(reading, at), strict)
  if (end === undefined) return at
  for (;;) {
    const sign = [",", "/", "&"].includes(reading.stem(end)) && !reading.isTaken(end) ? 1 : 0
    const joint = reading.phrase(end + sign, joints)
    const length = sign + (joint?.length ?? 0)
    if (length === 0) return end
    const start: number = pastArticles(reading, end + length)
    const next = readItem(reading, start, false)
    if (next === undefined) return end
    reading.claim("list", end, start)
    end = next
  }
}

/** "sorted by revenue" names the metric that decides. */
const readOrdering = (reading: Reading, at: number): number | undefined => {
  const match = reading.phrase(at, ordering)
  if (match === undefined) return undefined
  const end = at + match.length
  const mention = reading.mention(pastArticles(reading, end))
  const column = mention === undefined ? undefined : reading.columnOf(mention, isMeasurable)
  reading.claim("analysis:ranking", at, end)
  reading.analysis.add("ranking")
  if (mention === undefined || column === undefined || !isMeasurable(column)) return end
  reading.claim(`metrics:${column.name}`, end, mention.end)
  reading.metrics.add(column.name)
  return mention.end
}

/** "revenue per order" is an average of the rows. */
const readRatio = (reading: Reading, at: number, end: number): boolean => {
  if (reading.stem(end - 1) !== "per" && reading.stem(end - 1) !== "each") return false
  const measure = reading.mentions.some(
    ({ columns, end: last }) => last === at && columns.some(isMeasurable),
  )
  if (!measure || rowNounAt(reading, end) === undefined) return false
  reading.claim("analysis:average", at, end)
  readRowNoun(reading, end)
  reading.analysis.add("average")
  return true
}

/** The "per" of "Miles per Gallon" is not a group if a column has that name. */
const isNamed = (reading: Reading, at: number): boolean =>
  reading.mentions.some(({ start, end, quality }) => start < at && at < end && quality === EXACT)

export const readGroups = (reading: Reading): void => {
  for (let at = 0; at < reading.tokens.length; at++) {
    const ordered = readOrdering(reading, at)
    if (ordered !== undefined) {
      at = ordered - 1
      continue
    }
    const marker = isNamed(reading, at) ? undefined : reading.phrase(at, markers)
    if (marker !== undefined && readRatio(reading, at, at + marker.length)) continue
    if (marker !== undefined) {
      const first = reading.stem(at)
      // "between" and "over the" introduce groups only for known groupable columns.
      const strict =
        ["by", "per"].includes(reading.stem(at + marker.length - 1)) || marker.length > 1
      const before = new Set([...reading.groupBy, reading.timeColumn])
      const end = readList(
        reading,
        at + marker.length,
        strict && first !== "over" && first !== "into",
      )
      const led = reading.stem(at + marker.length - 1)
      if (["each", "every", "per"].includes(led)) {
        const added = [...reading.groupBy, reading.timeColumn].filter((name) => !before.has(name))
        for (const name of added) reading.each.add(name)
      }
      if (end > at + marker.length) {
        reading.claim("list", at, end)
        at = end - 1
      }
      continue
    }
    const question = reading.phrase(at, asking)
    if (question === undefined) continue
    const end = readList(reading, at + question.length, false)
    if (end > at + question.length) at = end - 1
  }
}
