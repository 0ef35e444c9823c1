/** Words of a request, each with its class and its place in the text. */
import type { Grammar, Operator } from "./Grammar.ts"
import { operators } from "./Grammar.ts"
import { isBehindNumber } from "./numberUnits.ts"

export interface Word {
  /** Offset of the first UTF-16 unit. */
  readonly start: number
  /** Offset behind the last one. */
  readonly end: number
  /** As written; of a quoted text, without the quotes. */
  readonly text: string
  /** Lower case, with straight apostrophes. */
  readonly word: string
  /** A `function` word may be ignored; a `content` word or an `operator` may not. */
  readonly class: "content" | "operator" | "function"
  /** Present with class `operator`. */
  readonly operator?: Operator
}

/**
 * Quoted text, comparison signs, references such as `Q-12`, numbers with their signs, units' marks and the letters behind them,
 * words. Everything else separates.
 */
const pattern =
  /"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|`([^`]+)`|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])|[<>!=]=|[<>=≥≤≠]|\p{Lu}{1,3}-\d+(?![\p{L}\p{N}])|(?:(?<![\p{L}\p{N}])[-−])?[$€£]?(?:(?<=[$€£])[-−])?\d(?:[\d.,:/-]*\d)?(?:%|[\p{L}\p{M}\p{N}_]+(?:['’]\p{L}+)*)?|[\p{L}\p{M}\p{N}_]+(?:['’][\p{L}]+)*/gu

/** A number with letters behind it. */
const lettered = /^([-−$€£]*)(\d(?:[\d.,:/-]*\d)?)((?!\d)[\p{L}\p{M}\p{N}_]+)(.*)$/u

type Bare = Omit<Word, "class" | "operator">

/** Whether the word was written in quotes: it stands for itself. */
export const isQuoted = ({ end, start, text }: Bare): boolean => end - start !== text.length

const bareAt = (start: number, written: string, text = written): Bare => ({
  start,
  end: start + written.length,
  text,
  word: text.toLowerCase().replaceAll("’", "'"),
})

/** Digits that letters follow are one word with them, unless the letters are the unit of a number. */
const numbersIn = (start: number, text: string, { ordinals }: Grammar): ReadonlyArray<Bare> => {
  const [, sign, digits, letters, rest] = lettered.exec(text) ?? []
  if (letters === undefined) return [bareAt(start, text)]
  if (!isBehindNumber(letters, ordinals))
    return [bareAt(start + sign!.length, text.slice(sign!.length))]
  const number = `${sign}${digits}`
  return [bareAt(start, number), bareAt(start + number.length, `${letters}${rest}`)]
}

const split = (text: string, grammar: Grammar): ReadonlyArray<Bare> =>
  [...text.matchAll(pattern)].flatMap((match) => {
    const said = match.slice(1).find((group) => group !== undefined)
    return said === undefined && /\d/.test(match[0])
      ? numbersIn(match.index, match[0], grammar)
      : [bareAt(match.index, match[0], said)]
  })

type WordClass = Pick<Word, "class" | "operator">

interface Phrases {
  readonly classes: ReadonlyMap<string, WordClass>
  /** Words of the longest phrase. */
  readonly longest: number
}

const known = new WeakMap<Grammar, Phrases>()

const phrasesOf = (grammar: Grammar): Phrases => {
  const before = known.get(grammar)
  if (before !== undefined) return before
  const classes = new Map<string, WordClass>()
  for (const operator of operators)
    for (const phrase of grammar.operators[operator])
      classes.set(phrase, { class: "operator", operator })
  for (const phrase of grammar.functionWords) classes.set(phrase, { class: "function" })
  const longest = Math.max(...[...classes.keys()].map((phrase) => phrase.split(" ").length))
  const phrases = { classes, longest }
  known.set(grammar, phrases)
  return phrases
}

const isPast = (word: string, { notPast, pastEndings }: Grammar): boolean =>
  !notPast.includes(word) &&
  pastEndings.some((ending) => word.endsWith(ending) && word.length > ending.length + 2)

/** The words of a text with their classes. The longest phrase of the grammar wins: `can you` is politeness, `can` is not. */
export const readWords = (text: string, grammar: Grammar): ReadonlyArray<Word> => {
  const { classes, longest } = phrasesOf(grammar)
  const bare = split(text, grammar)
  const words: Array<Word> = []
  for (let at = 0; at < bare.length;) {
    const [found, length] = classAt(bare, at, classes, longest)
    for (const one of bare.slice(at, at + length))
      words.push({ ...one, ...(found ?? classOf(one, grammar)) })
    at += length
  }
  return words
}

const classAt = (
  bare: ReadonlyArray<Bare>,
  at: number,
  classes: ReadonlyMap<string, WordClass>,
  longest: number,
): readonly [WordClass | undefined, number] => {
  for (let length = Math.min(longest, bare.length - at); length > 0; length--) {
    const words = bare.slice(at, at + length)
    if (words.some(isQuoted)) continue
    const found = classes.get(words.map(({ word }) => word).join(" "))
    if (found !== undefined) return [found, length]
  }
  return [undefined, 1]
}

const classOf = (bare: Bare, grammar: Grammar): WordClass =>
  !isQuoted(bare) && isPast(bare.word, grammar)
    ? { class: "operator", operator: "past" }
    : { class: "content" }
