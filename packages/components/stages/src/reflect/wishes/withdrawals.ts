/** Withdraws what a request said before: "the price – no, skip it". */
import type { Clause, RequestWord } from "./clauses.ts"
import { isList } from "./listedBehind.ts"
import type { Mark } from "./marks.ts"
import type { Phrases } from "./phrases.ts"
import { spansOf } from "./phraseSpans.ts"
import type { ScopedWord } from "./ScopedWord.ts"
import { partAround } from "./senses.ts"

export interface ReadClause {
  readonly clause: Clause
  readonly marks: ReadonlyArray<Mark>
  readonly words: Array<ScopedWord>
}

/**
 * Whether the last of the clauses withdraws: a waiver with nothing behind it what is before it in its clause, else the
 * clause or the sentence before; so do a "no" alone and a correction. One that is restated at once does not: "no, forget
 * the price". `next` is a clause of the same sentence.
 */
export const withdrawBefore = (
  read: ReadonlyArray<ReadClause>,
  next: Clause | undefined,
  isRestated: boolean,
  phrases: Phrases,
): boolean => {
  const { clause, marks, words } = read.at(-1)!
  const isNamed = ({ isContent, word }: RequestWord) =>
    isContent && !phrases.anaphors.has(word) && !phrases.interjections.has(word)
  const last = marks.at(-1)
  const behind = last === undefined ? [] : words.slice(last.to + 1)
  const isBare = last?.isWaiver === true && !behind.some(isNamed)
  if (
    last !== undefined &&
    isTrailing(clause, last, phrases) &&
    words.slice(0, last.from).some(isNamed)
  ) {
    withdraw(words, 0, last.from)
    return true
  }
  if (!isBare && !isRefusal(clause, next, phrases) && !corrects(words, phrases)) return false
  if (isBare) {
    // "I wanted the price, too, but leave it": without a name in its part, the part before.
    const [own] = partAround(words, last.from, last.to, phrases)
    for (const first of [own, 0]) {
      if (words.slice(first, last.from).some(isNamed)) {
        withdraw(words, first, last.from)
        return true
      }
    }
  }
  if (isRestated) return true
  const isPart = behind.some(({ word }) => phrases.anaphors.has(word))
  withdrawLast(read.slice(0, -1), clause.joint === "start" && !isPart, isNamed)
  return true
}

/** "Prices yes, safety no": a negation at the end of a list. */
const isTrailing = (clause: Clause, { from, isWaiver, to }: Mark, phrases: Phrases): boolean =>
  !clause.isAsked &&
  !isWaiver &&
  to === clause.words.length - 1 &&
  isList({ ...clause, words: clause.words.slice(0, from) }, phrases)

/** The last clause that names something, or the whole sentence with it. */
const withdrawLast = (
  read: ReadonlyArray<ReadClause>,
  isSentence: boolean,
  isNamed: (word: RequestWord) => boolean,
): void => {
  let hasName = false
  for (const { clause, words } of read.toReversed()) {
    withdraw(words)
    hasName ||= words.some(isNamed)
    if (hasName && (!isSentence || clause.joint === "start")) return
  }
}

const corrects = (words: ReadonlyArray<RequestWord>, { corrections }: Phrases): boolean =>
  spansOf(words, corrections).some(({ from }) => from === 0)

/** "Hmm no", alone or before what is asked for in its place. "It is safe, no?" asks. */
const isRefusal = (
  { isAsked, joint, words }: Clause,
  next: Clause | undefined,
  phrases: Phrases,
): boolean => {
  const { affirmations, interjections, refusals, resumes } = phrases
  const isLead = ({ word }: RequestWord) => interjections.has(word) && !affirmations.has(word)
  const isAlone = words.every((word) => isLead(word) || refusals.has(word.word))
  if (isAsked || joint === "and" || !isAlone || !words.some(({ isNegation }) => isNegation))
    return false
  if (next === undefined) return words.some(isLead)
  return (
    !next.words.some(({ isNegation }) => isNegation) &&
    (isList(next, phrases) || next.words.some(({ word }) => resumes.has(word)))
  )
}

const withdraw = (words: Array<ScopedWord>, from = 0, to = words.length): void => {
  for (let at = from; at < to; at++) words[at] = { ...words[at]!, scope: "withdrawn" }
}
