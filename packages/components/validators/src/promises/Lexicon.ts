/** The word lists of one language in `words.json` as finders: which phrase stands where in a sentence, and the role that it has there. */
import { phraseGroups, type Word } from "@planloom/review-kit"
import { isInside, type Place } from "./Place.ts"
import { wordFormsOf, type WordForms } from "./wordForms.ts"
import type { Language } from "./languagesOf.ts"
import words from "./words.json" with { type: "json" }

export type PromiseTopic = keyof typeof words.outcomes

export const promiseTopics = Object.keys(words.outcomes) as ReadonlyArray<PromiseTopic>

/** The topic of events that are of no other one: "you will pass the exam", "the pain will be gone". */
export const ANY_TOPIC: PromiseTopic = "outcome"

/**
 * `vow`: a word by which the speaker commits to whatever the sentence says. `strong`: one that makes an event certain. `weak`:
 * one that only supports an event. `soft`: one that does so for an event in the future. `stress`: one that does so for an event
 * of a listed topic. `denial`: such a word that negates, too.
 * `plain`: an event that is a promise by itself. `named`: a commitment that is only named, as in "to guarantee your seat".
 * `other`: no commitment.
 */
export type CueRole =
  | "vow"
  | "strong"
  | "weak"
  | "stress"
  | "soft"
  | "denial"
  | "plain"
  | "named"
  | "other"

/** `things` are outcomes as nouns, `gains` events that a promise states, `harms` ones that it denies, `moves` either; `subjects` are what any promise of the topic speaks of. */
export type OutcomeKind = "things" | "gains" | "harms" | "moves" | "subjects"

/** `acts` are conditions that the customer meets: they excuse what no word of commitment says. */
export type Excuse = "conditions" | "acts" | "reports" | "hedges" | "others" | "moods" | "neutral"

/** Work of the speaker, a negation, or a word of the past. */
type Mark = "own" | "no" | "past"

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

/** The mark of a phrase after which no word follows in its clause. */
const LAST = " $"
const CLAUSE_END = /^[^\S\n]*(?:[^\s\p{L}\p{N}]|$)/u

/** A sentence with its words. */
export interface Read {
  readonly text: string
  readonly words: ReadonlyArray<Word>
}

/** Phrases of one list, by the role that each has. */
type Roles<Role> = ReadonlyMap<string, Role>

/** Of two roles of a phrase the first counts; of two phrases that overlap the one that starts first, then the longer one. */
const rolesOf = <Role>(
  language: Language,
  lists: ReadonlyArray<readonly [Role, Languages]>,
): Roles<Role> => {
  const roles = new Map<string, Role>()
  for (const [role, phrases] of lists)
    for (const phrase of phrasesOf(phrases[language] ?? []))
      if (!roles.has(phrase)) roles.set(phrase, role)
  return roles
}

/** The phrases of several lists in one pass: what each list says of a sentence. */
const groupsOf = <Role>(
  lists: ReadonlyArray<Roles<Role>>,
): ((sentence: Read) => ReadonlyArray<ReadonlyArray<Use<Role>>>) => {
  const groups: Array<ReadonlyArray<string>> = []
  /** The group of a list, and that of its phrases that end a clause. */
  const places = lists.map((roles) => {
    const phrases = [...roles.keys()]
    const last = phrases.filter((phrase) => phrase.endsWith(LAST))
    const all = groups.push(phrases.filter((phrase) => !phrase.endsWith(LAST))) - 1
    const ends =
      last.length > 0 ? groups.push(last.map((phrase) => phrase.slice(0, -LAST.length))) - 1 : -1
    return { roles, all, ends }
  })
  const find = phraseGroups(groups)
  return ({ text, words: read }) => {
    const found = find(read)
    return places.map(({ all, ends, roles }) => {
      const uses = found[all]!.map(({ end, phrase, start }) => ({
        role: roles.get(phrase)!,
        start,
        end,
      }))
      const last = (found[ends] ?? []).flatMap(({ end, phrase, start }) =>
        CLAUSE_END.test(text.slice(end)) ? [{ role: roles.get(phrase + LAST)!, start, end }] : [],
      )
      return last.length === 0 ? uses : withEnds(uses, last)
    })
  }
}

/** "If you like" at the end of a clause is not "if"; "palabra" there is no promise in "la última palabra". */
const withEnds = <Role>(
  uses: ReadonlyArray<Use<Role>>,
  ends: ReadonlyArray<Use<Role>>,
): ReadonlyArray<Use<Role>> => {
  const last = ends.filter(
    (one) => !uses.some((longer) => isInside(one, [longer]) && !isInside(longer, [one])),
  )
  return [...uses.filter((one) => !isInside(one, last)), ...last].toSorted(
    (one, other) => one.start - other.start,
  )
}

const kindsOf = (
  lists: { readonly [kind: string]: Languages },
  topic: PromiseTopic,
): ReadonlyArray<readonly [Outcome, Languages]> =>
  Object.entries(lists).map(([kind, phrases]) => [{ topic, kind: kind as OutcomeKind }, phrases])

const plain: { readonly [topic: string]: { readonly [kind: string]: Languages } } = words.plain

/** Roles of the phrases of a sentence. */
export interface Uses {
  readonly outcomes: ReadonlyArray<Use<Outcome>>
  readonly excuses: ReadonlyArray<Use<Excuse>>
  readonly ownActions: ReadonlyArray<Place>
  readonly negations: ReadonlyArray<Place>
  readonly past: ReadonlyArray<Place>
}

/** The finders of one language. */
export interface Lexicon {
  readonly cues: (sentence: Read) => ReadonlyArray<Use<Cue>>
  /** All the others in one pass; most sentences have no cue and need none of them. */
  readonly uses: (sentence: Read) => Uses
  readonly forms: WordForms
}

export const lexiconOf = (language: Language, topics: ReadonlyArray<PromiseTopic>): Lexicon => {
  const plainEvents = rolesOf<Cue>(
    language,
    topics.flatMap((topic) =>
      kindsOf(plain[topic] ?? {}, topic).map(
        ([outcome, phrases]) => [{ role: "plain", outcome }, phrases] as const,
      ),
    ),
  )
  const cues = rolesOf<Cue>(language, [
    [{ role: "other" }, words.commitments.other],
    [{ role: "named" }, words.commitments.named],
    [{ role: "vow" }, words.commitments.vows],
    [{ role: "strong" }, words.commitments.strong],
    [{ role: "denial" }, words.commitments.denials],
    [{ role: "weak" }, words.commitments.weak],
    [{ role: "soft" }, words.commitments.soft],
    [{ role: "stress" }, words.commitments.stress],
  ])
  const excuses = rolesOf<Excuse>(language, [
    ["neutral", words.excuses.neutral],
    ["acts", words.excuses.acts],
    ["conditions", words.excuses.conditions],
    ["reports", words.excuses.reports],
    ["hedges", words.excuses.hedges],
    ["others", words.excuses.others],
    ["moods", words.excuses.moods],
  ])
  const ownActions = rolesOf<Mark>(language, [["own", words.excuses.own]])
  const negations = rolesOf<Mark>(language, [["no", words.negations]])
  const past = rolesOf<Mark>(language, [["past", words.past]])
  const outcomes = topics.flatMap((topic) => outcomeRoles(language, topic))
  const findCues = groupsOf([cues, plainEvents])
  const findUses = groupsOf<Excuse | Mark | Outcome>([
    excuses,
    ownActions,
    negations,
    past,
    ...outcomes,
  ])
  return {
    cues: (sentence) => findCues(sentence).flat(),
    uses: (sentence) => {
      const [excused, own, denied, over, ...found] = findUses(sentence)
      return {
        outcomes: found.flat() as ReadonlyArray<Use<Outcome>>,
        excuses: excused as ReadonlyArray<Use<Excuse>>,
        ownActions: own!,
        negations: denied!,
        past: over!,
      }
    },
    forms: wordFormsOf(language),
  }
}

/** Events, nouns and subjects of a topic: one word may be of each. */
const outcomeRoles = (language: Language, topic: PromiseTopic): ReadonlyArray<Roles<Outcome>> => {
  const { subjects, things, ...events } = words.outcomes[topic]
  return [events, { things }, { subjects }].map((lists) => rolesOf(language, kindsOf(lists, topic)))
}

/** Topics whose plain future is information: "your transfer will arrive on Friday", "the course will end in May". */
export const NOT_FORETOLD: ReadonlyArray<PromiseTopic> = ["arrival", ANY_TOPIC]

/** A word that commits by itself. */
export const isFirm = ({ role }: Use<Cue>): boolean => role.role === "vow" || role.role === "strong"

export const isNoun = ({ role }: Use<Outcome>): boolean =>
  role.kind === "things" || role.kind === "subjects"
