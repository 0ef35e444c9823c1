/** Sections of a prompt that is too long → those that fit, shortened in the order that its mode gives. */
import type { Section } from "@planloom/plugin/effect"
import { KIND } from "./systemBlocks.ts"
import type { TokenCounter } from "./tokens/tokens.ts"

/** A section that was shortened; dropped if `to` is 0. */
export type SectionCut = {
  readonly section: string
  /** Tokens before. */
  readonly from: number
  /** Tokens after. */
  readonly to: number
}

export interface FittedSections {
  readonly sections: ReadonlyArray<Section>
  /** Without the sections of the stage kind. More than the limit if `order` has nothing left to drop. */
  readonly tokens: number
  readonly cuts: ReadonlyArray<SectionCut>
}

/**
 * Each section of `order` in turn loses its end, as much as it takes, until the prompt fits. The end of a section depends
 * on the length of the others, so a provider could not cache it, unless none of them changes.
 */
export const fitSections = (
  given: ReadonlyArray<Section>,
  order: ReadonlyArray<string>,
  limit: number,
  counter: TokenCounter,
): FittedSections => {
  const own = given.filter(({ source }) => !source.startsWith(KIND))
  const isConstant = own.every(({ stable }) => stable)
  const cuts: Array<SectionCut> = []
  let sections = given
  let tokens = own.reduce((sum, { text }) => sum + counter.count(text), 0)
  for (const id of order) {
    if (tokens <= limit) break
    const section = own.find((one) => one.id === id)
    if (section === undefined || section.text === "") continue
    const from = counter.count(section.text)
    const text = beginning(section.text, from - (tokens - limit), counter)
    const to = counter.count(text)
    const short = { ...section, text, tokens: to, stable: section.stable && isConstant }
    sections = sections.flatMap((one) => (one !== section ? [one] : text === "" ? [] : [short]))
    tokens -= from - to
    cuts.push({ section: id, from, to })
  }
  return { sections, tokens, cuts }
}

/** The longest beginning of at most so many tokens that ends with a word; empty if even one word is too long. */
const beginning = (text: string, tokens: number, counter: TokenCounter): string => {
  if (tokens <= 0) return ""
  const ends = wordEnds(text)
  const cut = (words: number): string => `${text.slice(0, ends[words - 1])} …`
  let fits = 0
  let tooMany = ends.length
  while (fits + 1 < tooMany) {
    const words = (fits + tooMany) >> 1
    if (counter.count(cut(words)) <= tokens) fits = words
    else tooMany = words
  }
  return fits === 0 ? "" : cut(fits)
}

/** Scripts that write words without spaces between them. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]$/u

/** Positions at which a space follows, or a word of a script without spaces ends. */
const wordEnds = (text: string): ReadonlyArray<number> => {
  const ends: Array<number> = []
  for (const { index, segment } of new Intl.Segmenter(undefined, { granularity: "word" }).segment(
    text,
  )) {
    const end = index + segment.length
    const isSpace = segment.trim() === ""
    if (!isSpace && (end === text.length || /\s/.test(text[end]!) || UNSPACED.test(segment))) {
      ends.push(end)
    }
  }
  return ends
}
