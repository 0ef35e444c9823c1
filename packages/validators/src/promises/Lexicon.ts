/** The word lists of one language in `words.json` as finders: which phrase stands where in a sentence, and the role that it has there. */
import { phraseFinder, type Word } from "@planloom/review-kit"
import { wordFormsOf, type WordForms } from "./wordForms.ts"
import type { Language } from "./languagesOf.ts"
import words from "./words.json" with { type: "json" }

export type PromiseTopic = keyof typeof words.outcomes

export const promiseTopics = Object.keys(words.outcomes) as ReadonlyArray<PromiseTopic>

/**
 * `strong`: a word that commits by itself. `weak`: one that only stresses an event. `denial`: such a word that negates, too.
 * `plain`: an event that is a promise by itself. `named`: a commitment that is only named, as in "to guarantee your seat".
 * `other`: no commitment.
 */
export type CueRole = "strong" | "weak" | "denial" | "plain" | "named" | "other"

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

const alternativesOf = (name: string): string =>
  classes[name]!.flatMap((noun) => [noun, `${noun}'s`]).join("|")

/** Phrases with `<name>` of a class as its words, also before a short "is"; "won't" may be written "wont". */
const phrasesOf = (phrases: ReadonlyArray<string>): ReadonlyArray<string> =>
  phrases.map((phrase) =>
    phrase
      .replaceAll(/<(\w+)>/g, (_, name: string) => alternativesOf(name))
      .replaceAll(/(\w+)n't/g, "$1n't|$1nt"),
  )

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
const finderOf = <Role>(
  language: Language,
  lists: ReadonlyArray<readonly [Role, Languages]>,
): Finder<Role> => {
  const roles = new Map<string, Role>()
  for (const [role, phrases] of lists)
    for (const phrase of phrasesOf(phrases[language] ?? []))
      if (!roles.has(phrase)) roles.set(phrase, role)
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
  Object.entries(lists).map(([kind, phrases]) => [{ topic, kind: kind as OutcomeKind }, phrases])

const plain: { readonly [topic: string]: { readonly [kind: string]: Languages } } = words.plain

/** The finders of one language. */
export interface Lexicon {
  readonly cues: Finder<Cue>
  readonly outcomes: Finder<Outcome>
  /** Events whose plain future is a promise. */
  readonly foretold: Finder<Outcome>
  readonly excuses: Finder<Excuse>
  readonly ownActions: Finder<"own">
  readonly negations: Finder<"no">
  readonly past: Finder<"past">
  readonly forms: WordForms
}

export const lexiconOf = (language: Language, topics: ReadonlyArray<PromiseTopic>): Lexicon => ({
  cues: finderOf<Cue>(language, [
    ...topics.flatMap((topic) =>
      kindsOf(plain[topic] ?? {}, topic).map(
        ([outcome, phrases]) => [{ role: "plain", outcome }, phrases] as const,
      ),
    ),
    [{ role: "other" }, words.commitments.other],
    [{ role: "named" }, words.commitments.named],
    [{ role: "strong" }, words.commitments.strong],
    [{ role: "denial" }, words.commitments.denials],
    [{ role: "weak" }, words.commitments.weak],
  ]),
  ...outcomeFinders(language, topics),
  excuses: finderOf<Excuse>(language, [
    ["neutral", words.excuses.neutral],
    ["conditions", words.excuses.conditions],
    ["reports", words.excuses.reports],
    ["hedges", words.excuses.hedges],
    ["others", words.excuses.others],
  ]),
  ownActions: finderOf(language, [["own" as const, words.excuses.own]]),
  negations: finderOf(language, [["no" as const, words.negations]]),
  past: finderOf(language, [["past" as const, words.past]]),
  forms: wordFormsOf(language),
})

/** Dates are plain information: "your transfer arrives on Friday". */
export const NOT_FORETOLD: PromiseTopic = "arrival"

const outcomeFinders = (
  language: Language,
  topics: ReadonlyArray<PromiseTopic>,
): { readonly outcomes: Finder<Outcome>; readonly foretold: Finder<Outcome> } => {
  const finders = topics.map((topic) => {
    const { subjects, things, ...events } = words.outcomes[topic]
    const finderIn = (lists: { readonly [kind: string]: Languages }): Finder<Outcome> =>
      finderOf(language, kindsOf(lists, topic))
    return {
      topic,
      events: finderIn(events),
      nouns: [finderIn({ things }), finderIn({ subjects })],
    }
  })
  const all = finders.flatMap(({ events, nouns }) => [events, ...nouns])
  const events = finders.filter(({ topic }) => topic !== NOT_FORETOLD).map(({ events: one }) => one)
  return {
    outcomes: (sentence) => all.flatMap((find) => find(sentence)),
    foretold: (sentence) => events.flatMap((find) => find(sentence)),
  }
}

export const isNoun = ({ role }: Use<Outcome>): boolean =>
  role.kind === "things" || role.kind === "subjects"
