/** Finds the words of a request that params take as codes: hashes, addresses, order numbers. */
import { isCodeLike, isQuantity, type CodeTest } from "./codeTest.ts"
import type { Grammar } from "./words/Grammar.ts"
import type { SpokenParam } from "./SpokenParam.ts"
import { stem } from "./words/stem.ts"
import { isQuoted, readWords, type Word } from "./words/Word.ts"

export interface Code {
  readonly word: Word
  /** Params that take it; one of them if the words before name it. */
  readonly fits: ReadonlyArray<SpokenParam>
  /** Words directly before it that name a param or say that it is a code. */
  readonly names: ReadonlyArray<Word>
  /** Whether the words before it name the param. */
  readonly isNamed: boolean
}

/** Letters and digits with single marks between them, and a mark before them. */
const chunks = /[#@+]?[\p{L}\p{M}\p{N}_]+(?:(?:::|[-./:@+#~=&*\\])[\p{L}\p{M}\p{N}_]+)*/gu

/** Whether a text may have codes at all. */
const hasCodes = (text: string): boolean => /\p{N}|\p{Lu}[-_/.]\p{Lu}/u.test(text)

/** What may stand before a code without a space: `#`, or a word as in "tx:0x…". */
const lead = /^[#@+]|^[\p{L}_]+[:=#]/u

/** Most leads of one code, as in "order:#17": a text of nothing else would take long. */
const MAX_LEADS = 2

/** The text as written, and without what leads it in, each with its place. */
const readingsOf = (text: string, start: number): ReadonlyArray<readonly [string, number]> => {
  const readings: Array<readonly [string, number]> = [[text, start]]
  let rest = text
  while (readings.length <= MAX_LEADS) {
    const [before] = lead.exec(rest) ?? []
    if (before === undefined) break
    rest = rest.slice(before.length)
    readings.push([rest, start + text.length - rest.length])
  }
  return readings
}

/** Whether words are a number with what it counts: "12kg", "3-day". */
const isMeasure = (words: ReadonlyArray<Word>, text: string): boolean => {
  const [number, unit, ...more] = words
  if (number === undefined || unit === undefined || more.length > 0) return false
  const between = text.slice(number.end, unit.start)
  const isUnit = between === "" || (/^[-/]$/.test(between) && /^\p{Ll}+$/u.test(unit.text))
  const isNumber = isQuantity(number.text) || /^\d+(?:[.,]\d+)?$/.test(number.text)
  return isUnit && isNumber && /^\p{L}+$/u.test(unit.text)
}

/** Whether a letter could stand in place of a digit: such a pattern does not separate codes from numbers. */
const isLoose = (test: CodeTest, text: string): boolean =>
  Array.from(text, (_, at) => at).some(
    (at) =>
      /\d/.test(text[at]!) &&
      ["a", "A"].some((letter) => test(text.slice(0, at) + letter + text.slice(at + 1))),
  )

interface Sentence {
  readonly text: string
  readonly words: ReadonlyArray<Word>
  readonly grammar: Grammar
}

interface Naming {
  readonly words: ReadonlyArray<Word>
  /** How many of them are of the param's name. */
  readonly count: number
  /** Whether they are the whole name, and no mere prepositions: "amount 5000" is no order. */
  readonly isWhole: boolean
}

/** Text between words that belong together: "tx: 0x…", "order (4417)". */
const joint = /^[\s:=#([«*]*$/

/** The words directly before a place that are of a name, or say that a code follows. */
const namingBy = (
  name: ReadonlySet<string>,
  { grammar, text, words }: Sentence,
  at: number,
): Naming => {
  const found = new Set<string>()
  let hasContent = false
  let first = at
  while (first > 0) {
    const word = words[first - 1]!
    const root = stem(word.word)
    if (!joint.test(text.slice(word.end, words[first]!.start))) break
    if (name.has(root)) {
      found.add(root)
      hasContent ||= word.class === "content"
    } else if (!grammar.codeNouns.includes(word.word)) break
    first--
  }
  return {
    words: words.slice(first, at),
    count: found.size,
    isWhole: hasContent && found.size === name.size,
  }
}

/** By the name or the label of a param, whichever more of the words are of. */
const namingOf = ({ names }: SpokenParam, sentence: Sentence, at: number): Naming =>
  names
    .map((name) => namingBy(name, sentence, at))
    .reduce((one, other) => (other.count > one.count ? other : one))

/** What the words from one index to another are as a code, if params take it. */
const codeAt = (
  sentence: Sentence,
  [first, last]: readonly [number, number],
  said: Pick<Word, "start" | "end" | "text">,
  params: ReadonlyArray<SpokenParam>,
): Code | undefined => {
  const { text } = said
  const fitting = params.filter(({ isCode }) => isCode?.(text))
  if (fitting.length === 0) return undefined
  const isNumber =
    isQuantity(text) || isMeasure(sentence.words.slice(first, last + 1), sentence.text)
  const namings = new Map(params.map((param) => [param, namingOf(param, sentence, first)]))
  const countOf = (param: SpokenParam) => namings.get(param)!.count
  const count = Math.max(...fitting.map(countOf))
  if (count === 0 && [...namings.values()].some(({ isWhole }) => isWhole)) return undefined
  const fits = fitting.filter(
    (param) =>
      countOf(param) === count && (count > 0 || !isNumber || !isLoose(param.isCode!, text)),
  )
  const [only, ...others] = fits
  if (only === undefined) return undefined
  return {
    word: { ...said, word: text.toLowerCase(), class: "content" },
    fits,
    names: others.length === 0 ? namings.get(only)!.words : [],
    isNamed: count > 0 && others.length === 0,
  }
}

/** Indexes of the words that are exactly the text between two places, up to a genitive: "0x…'s". */
const wordsAt = (
  { text, words }: Sentence,
  start: number,
  end: number,
): readonly [number, number] | undefined => {
  const first = words.findIndex((word) => word.end > start)
  const last = words.findLastIndex((word) => word.start < end)
  if (first < 0 || last < first || words[first]!.start < start) return undefined
  const isGenitive = (at: number) => /^['’]\p{L}+$/u.test(text.slice(end, words[at]?.end ?? end))
  if (isGenitive(last + 1)) return [first, last + 1]
  return words[last]!.end === end || isGenitive(last) ? [first, last] : undefined
}

const takesCodes = (params: ReadonlyArray<SpokenParam>): boolean =>
  params.some(({ isCode }) => isCode !== undefined)

interface Found {
  readonly words: ReadonlyArray<Word>
  readonly codes: ReadonlyArray<Code>
}

/** The codes of a sentence for the params of a tool, and its words with each code as one. `own`: words of the tool that are none. */
export const findCodes = (
  sentence: Sentence,
  params: ReadonlyArray<SpokenParam>,
  own: ReadonlySet<string> = new Set(),
): Found => {
  const { text, words } = sentence
  if (!takesCodes(params) || !hasCodes(text)) return { words, codes: [] }
  const found: Array<readonly [Code, first: number, last: number]> = []
  const add = (said: Pick<Word, "start" | "end" | "text">, span: readonly [number, number]) => {
    const code = own.has(stem(said.text.toLowerCase()))
      ? undefined
      : codeAt(sentence, span, said, params)
    if (code !== undefined) found.push([code, ...span])
    return code !== undefined
  }
  for (const [at, word] of words.entries())
    if (isQuoted(word) && isCodeLike(word.text)) add(word, [at, at])
  for (const { 0: chunk, index } of text.matchAll(chunks))
    if (isCodeLike(chunk))
      readingsOf(chunk, index).some(([said, start]) => {
        const end = start + said.length
        const span = isCodeLike(said) ? wordsAt(sentence, start, end) : undefined
        return span !== undefined && add({ start, end, text: said }, span)
      })
  return {
    codes: found.map(([code]) => code),
    words: words.flatMap((word, at) => {
      const code = found.find(([, first, last]) => first <= at && at <= last)
      return code === undefined ? [word] : code[1] === at ? [code[0].word] : []
    }),
  }
}

/** The text with blanks in place of codes. */
export const blanked = (text: string, places: ReadonlyArray<Pick<Word, "start" | "end">>): string =>
  places.reduce(
    (rest, { end, start }) => rest.slice(0, start) + "·".repeat(end - start) + rest.slice(end),
    text,
  )

/** The text without the codes for the params of a tool. */
export const withoutCodes = (
  text: string,
  params: ReadonlyArray<SpokenParam>,
  grammar: Grammar,
): string => {
  if (!takesCodes(params) || !hasCodes(text)) return text
  const { codes } = findCodes({ text, words: readWords(text, grammar), grammar }, params)
  return blanked(
    text,
    codes.map(({ word }) => word),
  )
}
