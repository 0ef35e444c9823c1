/** Finds mentions of columns and values of the table in a question, exact or inexact. */
import { isRelated } from "@planloom/planning/reading"
import type { Column } from "@planloom/tables"
import type { Lexicon } from "./vocabulary/Lexicon.ts"
import { phraseAt } from "./vocabulary/PhraseBook.ts"
import { EXACT, matchColumns, REORDERED } from "./matchColumns.ts"
import type { Token } from "./tokens.ts"

/** Words at [start, end) that mean a column, or one value of it. */
export interface Mention {
  readonly start: number
  readonly end: number
  /** Several if the mention is ambiguous. */
  readonly columns: ReadonlyArray<Column>
  readonly value?: string
  /** "uninsured" for the column insured. */
  readonly negated?: true
  /** 1 for the exact name; lower for inexact matches. */
  readonly quality: number
}

const QUOTED_VALUE = 0.99
export const VALUE = 0.96
const FAMILY = 0.72
/** From this score on the words cover the whole name. */
const WHOLE = 0.84

/** Maximum number of words of a name. */
const MAX_NAME_WORDS = 8

/** By themselves no column's name. */
const isGrammatical = (tokens: ReadonlyArray<Token>, at: number, lexicon: Lexicon) =>
  phraseAt(tokens, at, lexicon.common) !== undefined

const columnMentions = (tokens: ReadonlyArray<Token>, lexicon: Lexicon): Array<Mention> => {
  const mentions: Array<Mention> = []
  for (let start = 0; start < tokens.length; start++) {
    for (let end = start + 1; end <= Math.min(tokens.length, start + MAX_NAME_WORDS); end++) {
      const span = tokens.slice(start, end)
      const [first] = span
      if (first?.kind === "quoted") {
        const named = lexicon.columns.filter(({ column }) => column.name === first.text)
        const columns = named.map(({ column }) => column)
        if (columns.length > 0) mentions.push({ start, end: start + 1, columns, quality: EXACT })
        break
      }
      if (span.some(({ kind }) => kind === "sign" || kind === "quoted")) break
      const stems = span.flatMap(({ word, stem }) =>
        word.includes("_") ? word.split("_").filter((part) => part !== "") : [stem],
      )
      const written = span.map(({ text }) => text).join(" ")
      // "share of women" is a column ShareWomen, "share of men" none.
      const joined = stems[1] === "of" && stems.length > 2
      const whole = joined ? matchColumns(stems.toSpliced(1, 1), written, lexicon) : undefined
      const found =
        matchColumns(stems, written, lexicon) ??
        (whole !== undefined && whole.quality >= REORDERED ? whole : undefined)
      if (found === undefined) continue
      // A silent word or a word of the vocabulary is a column only as part of a whole name.
      const loose = found.quality < (stems.length > 1 ? WHOLE : EXACT)
      const spoken = span.some(({ kind }) => kind === "number") && loose
      const idle =
        loose &&
        (isGrammatical(tokens, start, lexicon) ||
          phraseAt(tokens, start, lexicon.analysis) !== undefined ||
          phraseAt(tokens, start, lexicon.grains) !== undefined)
      if (!spoken && !idle) mentions.push({ start, end, ...found })
    }
  }
  return mentions
}

/** "smokers" for the column smoker, "uninsured" for insured, "Japanese" for the value Japan. */
const familyMentions = (tokens: ReadonlyArray<Token>, lexicon: Lexicon): Array<Mention> =>
  tokens.flatMap(({ kind, stem }, start): ReadonlyArray<Mention> => {
    if (kind !== "word" || stem.length < 4 || lexicon.columnParts.has(stem)) return []
    if (isCommon(tokens, start, lexicon)) return []
    const place = { start, end: start + 1, quality: FAMILY }
    const columnsOf = (named: ReadonlyArray<{ readonly column: Column }>) => [
      ...new Set(named.map(({ column }) => column)),
    ]
    const flagsOf = (word: string) =>
      columnsOf(lexicon.flags.filter(({ parts }) => parts.some((part) => isRelated(word, part))))
    const columns = flagsOf(stem)
    if (columns.length > 0) return [{ ...place, columns }]
    const bare = /^(?:un|non|in|dis)(\p{L}{4,})$/u.exec(stem)?.[1]
    const negated = bare === undefined ? [] : flagsOf(bare)
    if (negated.length > 0) return [{ ...place, columns: negated, negated: true }]
    const values = lexicon.values.filter(
      ({ stems }) => stems.length === 1 && isRelated(stem, stems[0] ?? ""),
    )
    const [first] = values
    return first !== undefined && values.every(({ value }) => value === first.value)
      ? [{ ...place, columns: columnsOf(values), value: first.value }]
      : []
  })

const valueMentions = (tokens: ReadonlyArray<Token>, lexicon: Lexicon): Array<Mention> => {
  const mentions: Array<Mention> = []
  for (let start = 0; start < tokens.length; start++) {
    const token = tokens[start] as Token
    for (const { column, value, stems } of lexicon.values) {
      const quoted = token.kind === "quoted" && token.text.toLowerCase() === value.toLowerCase()
      const span = tokens.slice(start, start + stems.length)
      const spelled =
        span.length === stems.length &&
        stems.every((stem, at) => span[at]?.stem === stem && span[at]?.kind !== "quoted")
      if (!quoted && !spelled) continue
      // "in", "no" and "total" are values only in the table's own spelling.
      const common =
        stems.length === 1 &&
        !quoted &&
        ((stems[0]?.length ?? 0) < 3 || isCommon(tokens, start, lexicon))
      const sameCase = token.text === value && /\p{Lu}/u.test(value) && start > 0
      if (common && !sameCase) continue
      const end = quoted ? start + 1 : start + stems.length
      mentions.push({
        start,
        end,
        columns: [column],
        value,
        quality: quoted ? QUOTED_VALUE : VALUE,
      })
    }
  }
  return mentions
}

const isCommon = (tokens: ReadonlyArray<Token>, at: number, lexicon: Lexicon) =>
  isGrammatical(tokens, at, lexicon) ||
  phraseAt(tokens, at, lexicon.analysis) !== undefined ||
  phraseAt(tokens, at, lexicon.grains) !== undefined ||
  phraseAt(tokens, at, lexicon.outputs) !== undefined

/** Merges mentions of one value in several columns. */
const joined = (mentions: ReadonlyArray<Mention>): ReadonlyArray<Mention> => {
  const result: Array<Mention> = []
  for (const mention of mentions) {
    const at = result.findIndex(
      (one) =>
        one.start === mention.start &&
        one.end === mention.end &&
        one.value === mention.value &&
        one.value !== undefined,
    )
    const twin = result[at]
    if (twin === undefined) result.push(mention)
    else result[at] = { ...twin, columns: [...new Set([...twin.columns, ...mention.columns])] }
  }
  return result
}

/** Mentions that do not overlap: exact before loose, long before short; in the order of the text. */
export const findMentions = (
  tokens: ReadonlyArray<Token>,
  lexicon: Lexicon,
): ReadonlyArray<Mention> => {
  const all = joined([
    ...columnMentions(tokens, lexicon),
    ...valueMentions(tokens, lexicon),
    ...familyMentions(tokens, lexicon),
  ])
  const chosen: Array<Mention> = []
  const ranked = all.toSorted(
    (left, right) =>
      Math.floor(right.quality * 10) - Math.floor(left.quality * 10) ||
      right.end - right.start - (left.end - left.start) ||
      right.quality - left.quality,
  )
  for (const mention of ranked) {
    if (chosen.every((one) => mention.end <= one.start || mention.start >= one.end)) {
      chosen.push(mention)
    }
  }
  return chosen.toSorted((left, right) => left.start - right.start)
}
