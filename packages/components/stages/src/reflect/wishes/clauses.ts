/** The clauses of a request. Its language is not known, so that what is one in one of the grammars is one. */
import { readWords, type Grammar, type Word } from "@planloom/planning/reading"
import { phrasesOf } from "./phrases.ts"

export interface RequestWord extends Word {
  /** In one of the grammars. */
  readonly isOperator: boolean
  readonly isNegation: boolean
  readonly isPast: boolean
  readonly isQuestion: boolean
  /** Of the verbs that are nouns, too: "check", "search". */
  readonly isRequest: boolean
  /** In all of them. */
  readonly isContent: boolean
}

/** Between a clause and the one before it; `series` is a comma and an "and", `next` a word such as "then", or a colon. */
export type Joint = "start" | "next" | "comma" | "and" | "series"

export interface Clause {
  readonly joint: Joint
  /** Whether a question mark ends it. */
  readonly isAsked: boolean
  readonly words: ReadonlyArray<RequestWord>
}

export const clausesIn = (
  request: string,
  grammars: ReadonlyArray<Grammar>,
): ReadonlyArray<Clause> => {
  const words = requestWords(request, grammars)
  const { conjunctions, interjections, links } = phrasesOf(grammars)
  const clauses: Array<{ joint: Joint; isAsked: boolean; words: Array<RequestWord> }> = []
  let joint: Joint | undefined = "start"
  for (let at = 0; at < words.length;) {
    const last = clauses.at(-1)
    if (last !== undefined && joint === undefined) {
      const gap = request.slice(words[at - 1]!.end, words[at]!.start)
      last.isAsked = gap.includes("?")
      joint = markOf(gap, words[at - 1]!, links)
      // "Wait, no prices": what leads in is a part of the clause.
      if (joint === "comma" && last.words.every(({ word }) => interjections.has(word)))
        joint = undefined
    }
    const phrase = conjunctions.find((one) =>
      one.every((part, by) => words[at + by]?.word === part),
    )
    if (phrase !== undefined) {
      joint = joined(joint, phrase.length === 1 && links.has(phrase[0]!) ? "and" : "next")
      at += phrase.length
      continue
    }
    if (joint !== undefined) clauses.push({ joint, isAsked: false, words: [] })
    clauses.at(-1)!.words.push(words[at]!)
    joint = undefined
    at++
  }
  const last = clauses.at(-1)
  if (last !== undefined) last.isAsked = request.slice(last.words.at(-1)!.end).includes("?")
  return clauses
}

const requestWords = (
  request: string,
  grammars: ReadonlyArray<Grammar>,
): ReadonlyArray<RequestWord> => {
  const readings = grammars.map((grammar) => readWords(request, grammar))
  const others = readings.map((words) => new Map(words.map((word) => [word.start, word])))
  return (readings[0] ?? []).map((word) => {
    const all = others.flatMap((words) => words.get(word.start) ?? [])
    return {
      ...word,
      isOperator: all.some(({ operator }) => operator !== undefined),
      isQuestion: all.some(({ operator }) => operator === "question" || operator === "modality"),
      isRequest: all.some(({ operator }) => operator === "look" || operator === "change"),
      isPast: all.some(({ operator }) => operator === "past"),
      isNegation: all.some(({ operator }) => operator === "negation"),
      isContent: all.every((one) => one.class === "content"),
    }
  })
}

const sentenceEnd = /[!?…;—\n()]|\.\s|\s[-–]+\s/

/** The marks between two words. The dot of "vs." and of an initial ends nothing. */
const markOf = (gap: string, { word }: Word, links: ReadonlySet<string>): Joint | undefined => {
  const isShort = word.length === 1 || links.has(word)
  if (sentenceEnd.test(isShort ? gap.replace(/^\.(?!\.)/, "") : gap)) return "start"
  if (gap.includes(",")) return "comma"
  if (/:\s/.test(gap)) return "next"
  return /[+&]/.test(gap) ? "and" : undefined
}

const joined = (one: Joint | undefined, other: Joint | undefined): Joint | undefined => {
  const both = [one, other]
  if (both.includes("start")) return "start"
  if (both.includes("next")) return "next"
  if (both.includes("comma") && both.includes("and")) return "series"
  return other ?? one
}
