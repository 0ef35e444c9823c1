/** The words of a request, each with what negations, waivers and fixed phrases make of it. */
import type { Grammar } from "@planloom/planning/reading"
import { clausesIn, type RequestWord } from "./clauses.ts"
import { listedBehind } from "./listedBehind.ts"
import { marksIn, type Mark } from "./marks.ts"
import { phrasesOf, type Phrases } from "./phrases.ts"
import { spansOf } from "./phraseSpans.ts"
import type { ScopedWord } from "./ScopedWord.ts"
import { isConfirming, setSenses, setStatements } from "./senses.ts"
import { withdrawBefore, type ReadClause } from "./withdrawals.ts"

/** By clause. */
export const scopedClauses = (
  request: string,
  grammars: ReadonlyArray<Grammar>,
): ReadonlyArray<ReadonlyArray<ScopedWord>> => {
  const phrases = phrasesOf(grammars)
  const clauses = clausesIn(request, grammars)
  const marked = clauses.map((clause, index) => {
    const first = clauses.findLastIndex(({ joint }, at) => at <= index && joint === "start")
    return marksIn(clause, clauses.slice(first, index), phrases)
  })
  const read: Array<ReadClause> = []
  let reach: Mark | undefined
  for (const [index, clause] of clauses.entries()) {
    if (reach !== undefined && !listedBehind(clauses, index, reach, phrases)) reach = undefined
    const marks = marked[index]!
    const words = scopedWords(clause.words, marks, reach, phrases)
    reach = words.reach
    read.push({ clause, marks, words: words.all })
    const next = clauses[index + 1]
    const follows = next === undefined || next.joint === "start" ? undefined : next
    setSenses(words.all, phrases)
    if (!clause.isAsked && follows?.isAsked !== true) setStatements(words.all, phrases)
    const isRestated = follows !== undefined && marked[index + 1]!.some(({ isWaiver }) => isWaiver)
    if (withdrawBefore(read, follows, isRestated, phrases)) reach = undefined
  }
  const confirmed = read.findLastIndex(({ words }) => isConfirming(words, phrases))
  return read.map(({ words }, index) =>
    index < confirmed ? words.map((word) => ({ ...word, isStated: false })) : words,
  )
}

const scopedWords = (
  words: ReadonlyArray<RequestWord>,
  marks: ReadonlyArray<Mark>,
  carried: Mark | undefined,
  phrases: Phrases,
): { readonly all: Array<ScopedWord>; readonly reach: Mark | undefined } => {
  const requests = spansOf(words, phrases.requests)
  let reach = carried
  let isNamed = carried !== undefined
  const all = words.map((word, at): ScopedWord => {
    const mark = marks.find(({ from }) => from === at)
    if (mark !== undefined) {
      // A negation in what is waived waives no less: "never mind, no prices".
      reach = { ...mark, isWaiver: mark.isWaiver || reach?.isWaiver === true }
      isNamed = false
    } else if (
      phrases.resumes.has(word.word) ||
      (isNamed && requests.some(({ from }) => from === at))
    ) {
      reach = undefined
    } else isNamed ||= word.isContent
    return {
      ...word,
      scope: reach === undefined ? "open" : reach.isWaiver ? "withdrawn" : "excluded",
      sense: "open",
      isStated: false,
      isLeftOut: reach?.leavesOut ?? false,
    }
  })
  return { all, reach }
}
