/** Signs of an attack on the instructions of a model, in a text without disguise. */
import type { Found } from "../findingOf.ts"
import { phraseFinder } from "../phraseFinder.ts"
import { INJECTED_MARKS, INJECTED_SENTENCES, injectionPhrases } from "./injectionPhrases.ts"
import { spellingOf, type Spelling } from "./spelling.ts"

export interface Attacks {
  readonly in: (text: string) => ReadonlyArray<Found>
  readonly spelling: Spelling
}

const kept = new Map<string, Attacks>()

/** `own`: further phrases. */
export const attacksOf = (own: ReadonlyArray<string>): Attacks => {
  const key = JSON.stringify(own)
  const attacks = kept.get(key) ?? compiled(own)
  kept.set(key, attacks)
  return attacks
}

const compiled = (own: ReadonlyArray<string>): Attacks => {
  const kindOf = new Map<string, string>([
    ...Object.entries(injectionPhrases).flatMap(([kind, phrases]) =>
      phrases.map((one) => [one, kind] as const),
    ),
    ...own.map((one) => [one, "phrase"] as const),
  ])
  const phrases = [...kindOf.keys()]
  const finder = phraseFinder(phrases)
  return {
    spelling: spellingOf(phrases.flatMap((one) => one.match(/[\p{L}\p{M}]+(?![*\p{L}])/gu) ?? [])),
    in: (text) => [
      ...finder.find(text).map(({ end, phrase, start }) => found(start, end, kindOf.get(phrase)!)),
      ...matches(text, INJECTED_SENTENCES, "override"),
      ...matches(text, INJECTED_MARKS, "marks of a message"),
    ],
  }
}

const matches = (text: string, pattern: RegExp, what: string): ReadonlyArray<Found> =>
  [...text.matchAll(pattern)].map(({ 0: match, index }) => found(index, index + match.length, what))

const found = (start: number, end: number, what: string): Found => ({
  start,
  end,
  what,
  rule: what.replaceAll(" ", "_"),
})

/** Ids of the rules of what is found. */
export const attackRules: ReadonlyArray<string> = [
  ...Object.keys(injectionPhrases),
  "marks_of_a_message",
  "phrase",
]
