/** The word lists of `words.json` as finders: which phrase stands where in a sentence, and the role that it has there. */
import { phraseFinder, type Word } from "@planloom/review-kit"
import words from "./words.json" with { type: "json" }

export type PromiseTopic = keyof typeof words.outcomes

export const promiseTopics = Object.keys(words.outcomes) as ReadonlyArray<PromiseTopic>

/** `strong`: a word that commits by itself. `weak`: one that only stresses an event. `denial`: such a word that negates, too. `plain`: an event that is a promise by itself. `other`: no commitment. */
export type CueRole = "strong" | "weak" | "denial" | "plain" | "other"

/** `things` are outcomes as nouns, `gains` events that a promise states, `harms` ones that it denies, `moves` either; `subjects` are what any promise of the topic speaks of. */
export type OutcomeKind = "things" | "gains" | "harms" | "moves" | "subjects"

export type Excuse = "conditions" | "reports" | "hedges" | "others" | "neutral"

/** A phrase of the lists in a sentence. */
export interface Use<Role> {
  readonly role: Role
  readonly start: number
  readonly end: number
}

export interface Outcome {
  readonly topic: PromiseTopic
  readonly kind: OutcomeKind
}

export interface Cue {
  readonly role: CueRole
  /** Of a plain event. */
  readonly outcome?: Outcome
}

interface Languages {
  readonly [language: string]: ReadonlyArray<string>
}

const classes: Languages = words.classes

/** Phrases of all languages, `<name>` of a class as its words. */
const phrasesOf = (languages: Languages): ReadonlyArray<string> =>
  Object.values(languages)
    .flat()
    .map((phrase) => phrase.replaceAll(/<(\w+)>/g, (_, name: string) => classes[name]!.join("|")))

const withoutMark = (phrase: string): string => phrase.replace(/ \$$/, "")

/** No word follows in the clause. */
const CLAUSE_END = /^[^\S\n]*(?:[^\s\p{L}\p{N}]|$)/u

/** A sentence with its words. */
export interface Read {
  readonly text: string
  readonly words: ReadonlyArray<Word>
}

type Finder<Role> = (sentence: Read) => ReadonlyArray<Use<Role>>

/** Of two roles of a phrase the first counts; of two phrases that overlap the one that starts first, then the longer one. */
const finderOf = <Role>(lists: ReadonlyArray<readonly [Role, Languages]>): Finder<Role> => {
  const roles = new Map<string, Role>()
  for (const [role, languages] of lists)
    for (const phrase of phrasesOf(languages)) if (!roles.has(phrase)) roles.set(phrase, role)
  const { findIn } = phraseFinder([...roles.keys()].map(withoutMark))
  return ({ text, words: read }) =>
    findIn(read)
      .filter(({ end, phrase }) => roles.has(phrase) || CLAUSE_END.test(text.slice(end)))
      .map(({ end, phrase, start }) => ({
        role: (roles.get(phrase) ?? roles.get(`${phrase} $`))!,
        start,
        end,
      }))
}

const kindsOf = (
  lists: { readonly [kind: string]: Languages },
  topic: PromiseTopic,
): ReadonlyArray<readonly [Outcome, Languages]> =>
  Object.entries(lists).map(([kind, languages]) => [
    { topic, kind: kind as OutcomeKind },
    languages,
  ])

const plain: { readonly [topic: string]: { readonly [kind: string]: Languages } } = words.plain

export const cueFinder = (topics: ReadonlyArray<PromiseTopic>): Finder<Cue> =>
  finderOf<Cue>([
    ...topics.flatMap((topic) =>
      kindsOf(plain[topic] ?? {}, topic).map(
        ([outcome, languages]) => [{ role: "plain", outcome }, languages] as const,
      ),
    ),
    [{ role: "other" }, words.commitments.other],
    [{ role: "strong" }, words.commitments.strong],
    [{ role: "denial" }, words.commitments.denials],
    [{ role: "weak" }, words.commitments.weak],
  ])

export const outcomeFinder = (topic: PromiseTopic): Finder<Outcome> => {
  const { subjects, things, ...events } = words.outcomes[topic]
  const finders = [events, { things }, { subjects }].map((lists) => finderOf(kindsOf(lists, topic)))
  return (sentence) => finders.flatMap((find) => find(sentence))
}

export const excuseFinder: Finder<Excuse> = finderOf<Excuse>([
  ["neutral", words.excuses.neutral],
  ["conditions", words.excuses.conditions],
  ["reports", words.excuses.reports],
  ["hedges", words.excuses.hedges],
  ["others", words.excuses.others],
])

export const ownActionFinder: Finder<"own"> = finderOf([["own" as const, words.excuses.own]])

export const negationFinder: Finder<"no"> = finderOf([["no" as const, words.negations]])

export const pastFinder: Finder<"past"> = finderOf([["past" as const, words.past]])
