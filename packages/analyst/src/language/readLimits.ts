/** Reads limits and extremes: "top 5", "the three worst", "highest". */
import { numberWords } from "./numberWords.ts"
import { words } from "./PhraseBook.ts"
import { isGroupable, isMeasurable } from "./columnKinds.ts"
import type { Reading } from "./Reading.ts"
import { matchColumns } from "./matchColumns.ts"
import { readRowNoun } from "./readRowNoun.ts"

const most = words(
  "top",
  "best",
  "highest",
  "largest",
  "biggest",
  "greatest",
  "most",
  "leading",
  "strongest",
  "first",
  "best performing",
  "best selling",
  "top selling",
  "top performing",
  "most successful",
  "most popular",
)
const least = words(
  "bottom",
  "worst",
  "lowest",
  "smallest",
  "least",
  "weakest",
  "fewest",
  "last",
  "poorest",
  "worst performing",
  "worst selling",
  "least popular",
)
const asking = words("which", "what", "who", "whose")
const timeUnits = words("hour", "day", "week", "month", "quarter", "year")

const numberAt = (reading: Reading, at: number): number | undefined => {
  const token = reading.tokens[at]
  const value = token?.kind === "number" ? token.value : numberWords.get(token?.word ?? "")
  // Years and fractions are not counts.
  return value !== undefined && Number.isInteger(value) && value > 0 && value < 1000
    ? value
    : undefined
}

const limit = (reading: Reading, n: number, order: "desc" | "asc", start: number, end: number) => {
  reading.claim(["analysis:ranking", "top_n"], start, end)
  reading.analysis.add("ranking")
  reading.constraints.push({ kind: "top_n", n, order })
}

type Order = "desc" | "asc"

const isDividing = (reading: Reading, at: number): boolean => {
  const mention = reading.mention(at)
  if (mention !== undefined) {
    return (
      mention.value === undefined &&
      mention.columns.every((one) => isGroupable(one) && one.type !== "date")
    )
  }
  return reading.phrase(at, reading.lexicon.grains) !== undefined
}

/** "which region", "what month", "which car": something to rank. */
const asksFor = (reading: Reading): { readonly plural: boolean } | undefined => {
  for (let at = 0; at < reading.tokens.length; at++) {
    const date = reading.stem(at) === "when" ? reading.dateColumn() : undefined
    if (date !== undefined) {
      reading.timeColumn ||= date.name
      reading.claim("time", at)
      return { plural: false }
    }
    const match = reading.phrase(at, asking)
    if (match === undefined) continue
    const place = at + match.length
    const noun = reading.tokens[place]
    const dividing = isDividing(reading, place)
    if (dividing || readRowNoun(reading, place) !== undefined) {
      if (!dividing) reading.claim("analysis:ranking", at, place)
      return { plural: noun !== undefined && noun.word !== noun.stem }
    }
  }
  return undefined
}

const rank = (reading: Reading, order: Order, plural: boolean) => {
  reading.analysis.add("ranking")
  if (!plural) reading.single = order
  // The highest come first by default; only the lowest need a limit.
  if (order === "asc") reading.constraints.push({ kind: "top_n", n: plural ? 5 : 1, order })
}

/** "smallest and largest body mass": the subject of the first extreme follows the second. */
const pastOther = (reading: Reading, at: number): number => {
  const joined = ["and", "or", "to", "/"].includes(reading.stem(at))
  const place = at + (reading.stem(at + 1) === "the" ? 2 : 1)
  const other = reading.phrase(place, most) ?? reading.phrase(place, least)
  return joined && other !== undefined ? place + other.length : at
}

/** "the highest revenue" is a maximum; "which region has the highest revenue" asks for a region. */
const superlative = (
  reading: Reading,
  at: number,
  length: number,
  order: Order,
  asked: { readonly plural: boolean } | undefined,
) => {
  const word = reading.stem(at)
  const idle = reading.stem(at - 1) === "at" || reading.stem(at + 1) === "of"
  if (idle || word === "first" || word === "last" || word === "leading") return
  const next = at + length
  if (countsRows(reading, at, length, order, asked)) return
  const dividing = isDividing(reading, next)
  const ofRows = ["best", "worst", "top", "bottom"].includes(word) || length > 1
  const plural = reading.tokens[next]?.word !== reading.stem(next)
  if (asked !== undefined || dividing) {
    reading.claim(["analysis:ranking", "top_n"], at, next)
    rank(reading, order, asked?.plural ?? plural)
  } else if (ofRows && readRowNoun(reading, next) !== undefined) {
    reading.claim(["analysis:ranking", "top_n"], at, next)
    rank(reading, order, plural)
  } else if (
    reading.mention(pastOther(reading, next)) !== undefined &&
    word !== "most" &&
    word !== "least"
  ) {
    const label = order === "desc" ? "maximum" : "minimum"
    reading.claim(`analysis:${label}`, at, next)
    reading.analysis.add(label)
  }
}

/** "which zone has the most rides" counts rows: the noun is no column and no concept of its own. */
const countsRows = (
  reading: Reading,
  at: number,
  length: number,
  order: Order,
  asked: { readonly plural: boolean } | undefined,
): boolean => {
  const word = reading.stem(at)
  if (length > 1 || !["most", "fewest", "least"].includes(word)) return false
  const noun = reading.tokens[at + 1]
  const isPlural = noun !== undefined && noun.word !== noun.stem
  const divides =
    asked !== undefined || reading.tokens.some((_, place) => isDividing(reading, place))
  if (!isPlural || !divides || readRowNoun(reading, at + 1) === undefined) return false
  reading.claim(["analysis:ranking", "analysis:count", "top_n"], at)
  reading.analysis.add("count")
  rank(reading, order, asked?.plural ?? true)
  return true
}

/** "the 5 zones with the highest fares": the number stands before the group, apart from its extreme. */
const readHowMany = (reading: Reading): void => {
  const extreme = (["maximum", "minimum"] as const).find((one) => reading.analysis.has(one))
  if (!reading.analysis.has("ranking") && extreme === undefined) return
  const at = reading.tokens.findIndex(
    (_, place) =>
      !reading.isTaken(place) &&
      numberAt(reading, place) !== undefined &&
      reading.tokens[place]?.kind === "number" &&
      isDividing(reading, place + 1) &&
      reading.tokens[place + 1]?.word !== reading.stem(place + 1),
  )
  const n = numberAt(reading, at)
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
  reading.single = undefined
  limit(reading, n, order, at, at + 1)
}

/** "heaviest", "cheapest": the word implies the column. */
const readExtreme = (reading: Reading, at: number): boolean => {
  const match = reading.phrase(at, reading.lexicon.extremes)
  if (match === undefined) return false
  const [order, of] = match.label.split(":") as [Order, string]
  const wanted = [`${order === "desc" ? "maximum" : "minimum"} ${of}`, of]
  const found = wanted.flatMap((name) => {
    const columns = matchColumns(name.split(" "), name, reading.lexicon)
    return columns === undefined ? [] : [columns]
  })
  const [best] = found.filter(({ columns }) => columns.some(isMeasurable))
  const fitting = best?.columns.filter(isMeasurable) ?? []
  const column = fitting.length === 1 ? fitting[0] : undefined
  const said = reading.textOf(at, at + match.length)
  const n = numberAt(reading, at - 1)
  const next = at + match.length
  const counted = numberAt(reading, next)
  const named = reading.mention(next)
  if (column === undefined && named?.value === undefined && named?.columns.some(isMeasurable)) {
    // "longest hours to resolve" names its own subject.
    const label = order === "desc" ? "maximum" : "minimum"
    reading.claim(`analysis:${label}`, at, next)
    reading.analysis.add(label)
    return true
  }
  if (column === undefined) {
    // Left for the plain reading of "best" and "most".
    if (found.length === 0 && match.length > 1) return false
    const names = fitting.map(({ name }) => name)
    if (names.length > 1) {
      const text = `Which do you mean by "${said}": ${names.join(" or ")}?`
      reading.lacks(
        at,
        next,
        text,
        names.map((name) => `${order === "desc" ? "highest" : "lowest"} ${name}`),
      )
    } else reading.lacks(at, next)
    return true
  }
  reading.notes.push(`"${said}" read as ${order === "desc" ? "most" : "least"} ${column.name}`)
  reading.metrics.add(column.name)
  reading.claim([`metrics:${column.name}`, "analysis:ranking", "top_n"], at, next)
  reading.doubt(at, next)
  const end = counted === undefined ? next : next + 1
  const plural = reading.tokens[end]?.word !== reading.stem(end)
  if (!isDividing(reading, end)) readRowNoun(reading, end)
  if (counted !== undefined) limit(reading, counted, order, at, end)
  else if (n !== undefined) limit(reading, n, order, at - 1, next)
  else rank(reading, order, plural)
  return true
}

export const readLimits = (reading: Reading): void => {
  const { tokens } = reading
  let asked: ReturnType<typeof asksFor>
  const ranked = tokens.some(
    (_, at) =>
      reading.phrase(at, most) !== undefined ||
      reading.phrase(at, least) !== undefined ||
      reading.phrase(at, reading.lexicon.extremes) !== undefined,
  )
  if (ranked) asked = asksFor(reading)
  for (let at = 0; at < tokens.length; at++) {
    if (readExtreme(reading, at)) continue
    for (const [book, order] of [
      [most, "desc"],
      [least, "asc"],
    ] as const) {
      const match = reading.phrase(at, book)
      if (match === undefined) continue
      const after = at + match.length
      const counted = numberAt(reading, after)
      const before = numberAt(reading, at - 1)
      // "last 3 months" is a period.
      const timed = reading.phrase(after + (counted === undefined ? 0 : 1), timeUnits) !== undefined
      const ranks = match.length > 1 || !["first", "last"].includes(reading.stem(at))
      if (timed && !ranks) continue
      if (counted !== undefined) {
        limit(reading, counted, order, at, after + 1)
        if (!isDividing(reading, after + 1)) readRowNoun(reading, after + 1)
      } else if (before !== undefined && ranks) {
        limit(reading, before, order, at - 1, after)
        if (!isDividing(reading, after)) readRowNoun(reading, after)
      } else if (reading.areFree(at, after)) {
        superlative(reading, at, match.length, order, asked)
      }
    }
  }
  readHowMany(reading)
}
