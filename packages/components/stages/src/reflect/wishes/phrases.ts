/** The words and phrases of several grammars by which the wishes of a request are read. */
import type { Grammar } from "@planloom/planning/reading"
import { phraseList, type PhraseList } from "./phraseSpans.ts"

export interface Phrases {
  readonly claims: PhraseList
  readonly confirmations: PhraseList
  readonly corrections: PhraseList
  readonly dismissals: PhraseList
  readonly doubts: PhraseList
  readonly idioms: PhraseList
  readonly known: PhraseList
  readonly omissions: PhraseList
  readonly reports: PhraseList
  readonly requests: PhraseList
  /** Of single words, and of phrases as a whole. */
  readonly affirmations: ReadonlySet<string>
  readonly anaphors: ReadonlySet<string>
  readonly echoes: ReadonlySet<string>
  readonly exclamations: ReadonlySet<string>
  readonly filters: ReadonlySet<string>
  readonly interjections: ReadonlySet<string>
  readonly links: ReadonlySet<string>
  readonly naming: ReadonlySet<string>
  readonly pleas: ReadonlySet<string>
  readonly refusals: ReadonlySet<string>
  readonly resumes: ReadonlySet<string>
  readonly stressed: ReadonlySet<string>
  readonly subjects: ReadonlySet<string>
  /** Words that join clauses, the longest phrases first. */
  readonly conjunctions: ReadonlyArray<ReadonlyArray<string>>
}

const known = new Map<string, Phrases>()

export const phrasesOf = (grammars: ReadonlyArray<Grammar>): Phrases => {
  const languages = grammars.map(({ language }) => language).join(" ")
  const before = known.get(languages)
  if (before !== undefined) return before
  const list = (of: (grammar: Grammar) => ReadonlyArray<string>) => phraseList(grammars.flatMap(of))
  const set = (of: (grammar: Grammar) => ReadonlyArray<string>) => new Set(grammars.flatMap(of))
  const phrases: Phrases = {
    claims: list((grammar) => grammar.claims),
    confirmations: list((grammar) => grammar.confirmations),
    corrections: list((grammar) => grammar.corrections),
    dismissals: list((grammar) => grammar.dismissals),
    doubts: list((grammar) => grammar.doubts),
    idioms: list((grammar) => grammar.idioms),
    known: list((grammar) => grammar.known),
    omissions: list((grammar) => grammar.omissions),
    reports: list((grammar) => grammar.reports),
    requests: list((grammar) => grammar.requests),
    affirmations: set(({ acts }) => acts.affirm),
    anaphors: set((grammar) => grammar.anaphors),
    echoes: set((grammar) => grammar.echoes),
    exclamations: set((grammar) => grammar.exclamations),
    filters: set((grammar) => grammar.filters),
    interjections: set((grammar) => grammar.interjections),
    links: set((grammar) => grammar.links),
    naming: set((grammar) => grammar.naming),
    pleas: set((grammar) => grammar.pleas),
    refusals: set(({ acts }) => acts.refuse),
    resumes: set((grammar) => grammar.resumes),
    stressed: set((grammar) => grammar.stressed),
    subjects: set((grammar) => grammar.subjects),
    conjunctions: grammars
      .flatMap(({ conjunctions }) => conjunctions.map((phrase) => phrase.split(" ")))
      .toSorted((one, other) => other.length - one.length),
  }
  known.set(languages, phrases)
  return phrases
}
