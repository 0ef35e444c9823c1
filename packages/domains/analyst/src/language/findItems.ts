/** Finds typed items of a question: words of closed classes, numbers, mentions of columns and values. */
import { english, months, readWords } from "@planloom/planning/reading"
import type { Column, FilterOp } from "@planloom/tables"
import { flagOf, isGroupable, isMeasurable } from "./columnKinds.ts"
import type { Mention } from "./findMentions.ts"
import type { Item, Meanings } from "./Item.ts"
import { EXACT, matchColumns, REORDERED } from "./matchColumns.ts"
import { unitOf } from "./vocabulary/measureUnits.ts"
import { numberAt } from "./vocabulary/numberWords.ts"
import { phraseBook, type PhraseBook } from "./vocabulary/PhraseBook.ts"
import type { Reading } from "./Reading.ts"
import { rowNounAt } from "./read/readRowNoun.ts"
import { wordClasses, type WordClass } from "./vocabulary/wordClasses.ts"

const signs: ReadonlyMap<string, FilterOp> = new Map([
  [">", ">"],
  [">=", ">="],
  ["≥", ">="],
  ["<", "<"],
  ["<=", "<="],
  ["≤", "<="],
  ["=", "="],
  ["==", "="],
  ["!=", "!="],
  ["<>", "!="],
  ["≠", "!="],
])

const books = new Map<string, PhraseBook>(
  Object.entries(wordClasses).map(([category, meanings]) => {
    let book: PhraseBook | undefined
    const make = () =>
      phraseBook(
        Object.fromEntries(
          Object.entries(meanings).map(([meaning, phrases]) => [meaning, phrases.split(/,\s+/)]),
        ),
      )
    return [category, { get: (stem) => (book ??= make()).get(stem) }]
  }),
)

/** The phrases of a category. */
export const wordsOf = (category: WordClass): PhraseBook => books.get(category) as PhraseBook

/** Whether a word reports: "written", "killed". */
export const isPast = ({ tokens }: Reading, at: number): boolean =>
  readWords(tokens[at]?.word ?? "", english)[0]?.operator === "past"

type Terminal = (
  reading: Reading,
  at: number,
) => { readonly end: number; readonly of?: unknown } | undefined

const phraseOf =
  (bookOf: (reading: Reading) => PhraseBook): Terminal =>
  (reading, at) => {
    // The "per" of "Miles per Gallon" means nothing if a column has that name.
    const isInside = reading.mentions.some(
      ({ end, quality, start }) =>
        start < at && at < end && quality === EXACT && reading.areFree(start, end),
    )
    const match = isInside ? undefined : reading.phrase(at, bookOf(reading))
    return match && { end: at + match.length, of: match.label }
  }

const mentionOf =
  (fits: (mention: Mention) => boolean): Terminal =>
  (reading, at) => {
    const mention = reading.mention(at)
    return mention !== undefined && fits(mention) ? { end: mention.end, of: mention } : undefined
  }

const named =
  (fits: (column: Column) => boolean) =>
  ({ columns, value }: Mention) =>
    value === undefined && columns.some(fits)

const functions = new Set<string>(["total", "average", "median", "minimum", "maximum", "count"])

/** Names and short names → two digits. */
const monthNames: ReadonlyMap<string, string> = new Map(
  months.flatMap((name, at) =>
    [name, name.slice(0, 3), ...(name === "september" ? ["sept"] : [])].map(
      (one) => [one, String(at + 1).padStart(2, "0")] as const,
    ),
  ),
)

const isYear = (text: string | undefined): boolean => /^(1[89]|20|21)\d\d$/.test(text ?? "")

/** "may" is a verb unless a year or a time word is next to it. */
const isMonth = (reading: Reading, at: number): boolean =>
  reading.tokens[at]?.word !== "may" ||
  isYear(reading.tokens[at + 1]?.text) ||
  isYear(reading.tokens[at + 2]?.text) ||
  ["in", "since", "during", "until", "before", "after"].includes(reading.stem(at - 1))

/** A free word of a pattern; its meaning is the first group, or the whole. */
const written =
  (pattern: RegExp): Terminal =>
  (reading, at) => {
    const match = reading.isTaken(at) ? null : pattern.exec(reading.tokens[at]?.word ?? "")
    return match === null ? undefined : { end: at + 1, of: match[1] ?? match[0] }
  }

const terminals: { readonly [category: string]: Terminal } = {
  NUMBER: (reading, at) => {
    const found = numberAt(reading, at)
    return found && { end: found.end, of: found.value }
  },
  UNIT: (reading, at) => {
    const unit = unitOf(reading.tokens[at]?.word ?? "")
    const mention = reading.mention(at)
    const isName = mention !== undefined && mention.end > at + 1
    return unit === undefined || reading.isTaken(at) || isName
      ? undefined
      : { end: at + 1, of: unit }
  },
  SIGN: (reading, at) => {
    const token = reading.tokens[at]
    const op = token?.kind === "sign" && !reading.isTaken(at) ? signs.get(token.text) : undefined
    return op && { end: at + 1, of: op }
  },
  ISO: (reading, at) => {
    const found = written(/^\d{4}-(?:q[1-4]|\d{2}(?:-\d{2})?)$/)(reading, at)
    return found && { ...found, of: String(found.of).toUpperCase() }
  },
  FULL_YEAR: written(/^(?:1[89]|20|21)\d\d$/),
  DAY_NUMBER: written(/^(0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?$/),
  SHORT_PART: written(/^q([1-4])$/),
  MONTH: (reading, at) => {
    const month = monthNames.get(reading.tokens[at]?.word ?? "")
    const isFree = month !== undefined && !reading.isTaken(at) && isMonth(reading, at)
    return isFree ? { end: at + 1, of: month } : undefined
  },
  GRADED: phraseOf(({ lexicon }) => lexicon.comparatives),
  DEGREE: phraseOf(({ lexicon }) => lexicon.degrees),
  SUPER: (reading, at) => {
    const own = reading.phrase(at, reading.lexicon.extremes)
    const [order, of = ""] = own?.label.split(":") ?? []
    // "best rated" without a rating is left for the plain reading of "best".
    const isKnown = own?.length === 1 || matchColumns([of], of, reading.lexicon) !== undefined
    if (own !== undefined && isKnown) return { end: at + own.length, of: { order, of } }
    const match = reading.phrase(at, wordsOf("MOST"))
    const [direction, rows] = match?.label.split(":") ?? []
    return match && { end: at + match.length, of: { order: direction, of: rows } }
  },
  PUT: (reading, at) => {
    const match = reading.phrase(at, reading.lexicon.analysis)
    return match && functions.has(match.label)
      ? { end: at + match.length, of: match.label }
      : undefined
  },
  ANALYSIS: (reading, at) => {
    const found = phraseOf(({ lexicon }) => lexicon.analysis)(reading, at)
    const name = reading.mention(at)
    // "number of fights" is a column number_fights.
    const isName = name !== undefined && name.quality >= REORDERED && name.end > (found?.end ?? 0)
    return isName ? undefined : found
  },
  OUTPUT: phraseOf(({ lexicon }) => lexicon.outputs),
  CHART: phraseOf(({ lexicon }) => lexicon.charts),
  LIMITED: (reading, at) =>
    reading.usesAt(at).some((use) => use.startsWith("filter:")) ? { end: at + 1 } : undefined,
  SILENT: phraseOf(({ lexicon }) => lexicon.silent),
  ROW: phraseOf(({ lexicon }) => lexicon.rows),
  LOOK: (reading, at) =>
    !reading.isTaken(at) &&
    reading.words.some(
      ({ operator, start }) => operator === "look" && start === reading.tokens[at]?.start,
    )
      ? { end: at + 1 }
      : undefined,
  NOT: phraseOf(({ lexicon }) => lexicon.negations),
  GRAIN: phraseOf(({ lexicon }) => lexicon.grains),
  COLUMN: mentionOf(named(() => true)),
  MEASURE: mentionOf(named(isMeasurable)),
  GROUP: mentionOf(named(isGroupable)),
  FLAG: mentionOf(
    ({ columns, value }) =>
      value === undefined && columns.length === 1 && flagOf(columns[0] as Column) !== undefined,
  ),
  VALUE: mentionOf(({ value }) => value !== undefined),
  ROWS: (reading, at) => {
    const end = rowNounAt(reading, at)
    return end === undefined ? undefined : { end }
  },
  WORD: (reading, at) => {
    const token = reading.tokens[at]
    return token?.kind === "word" && !reading.isTaken(at)
      ? { end: at + 1, of: token.stem }
      : undefined
  },
}

/** The item of a category that starts here, of words that have no use yet. */
export const terminalsAt = (
  reading: Reading,
  category: keyof Meanings,
  at: number,
): ReadonlyArray<Item> => {
  const book = books.get(category)
  const terminal = book === undefined ? terminals[category] : phraseOf(() => book)
  const found = terminal?.(reading, at)
  return found === undefined ? [] : [{ category, start: at, end: found.end, of: found.of }]
}
