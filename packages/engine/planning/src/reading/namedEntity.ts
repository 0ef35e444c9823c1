/** Things of a conversation as values of params: those that a request names, and the one that was mentioned last. */
import type { Entity } from "@planloom/plugin/effect"
import { stemsOf, type SpokenParam } from "./SpokenParam.ts"
import type { Grammar } from "./words/Grammar.ts"
import { stem } from "./words/stem.ts"
import type { Word } from "./words/Word.ts"

/** `turn` is the one of the last mention. */
export type KnownEntity = Entity & { readonly turn?: number }

/** Indexes of the first and the last word. */
export type Span = readonly [number, number]

const ofType = ({ entity }: SpokenParam, entities: ReadonlyArray<KnownEntity>) =>
  entities.filter(({ type }) => type === entity?.type)

/** Undefined for a thing without the field. */
const valueOf = ({ entity }: SpokenParam, thing: KnownEntity): string | undefined => {
  const { gives = "id" } = entity ?? {}
  const value = gives === "name" ? (thing.name ?? thing.id) : thing[gives]
  return typeof value === "string" && value !== "" ? value : undefined
}

/** The only thing that is named: by its id, its whole name, or a word that no other name of its type has. */
export const namedEntity = (
  param: SpokenParam,
  entities: ReadonlyArray<KnownEntity>,
  grammar: Grammar,
  spansOf: (phrase: ReadonlyArray<string>) => ReadonlyArray<Span>,
): { readonly value: string; readonly spans: ReadonlyArray<Span> } | undefined => {
  const spansIn = (phrases: ReadonlyArray<ReadonlyArray<string>>) => phrases.flatMap(spansOf)
  const found = ofType(param, entities).map((one) => {
    const { id, name = "" } = one
    // A quoted name and a code are one word.
    const single = [id, name].map((text) => [stem(text.toLowerCase())])
    const whole = spansIn([stemsOf(id, grammar), stemsOf(name, grammar), ...single])
    const part = spansIn(stemsOf(name, grammar).map((word) => [word]))
    return { value: valueOf(param, one), whole, part }
  })
  const named = found.filter(({ whole }) => whole.length > 0)
  const [only, ...others] = named.length > 0 ? named : found.filter(({ part }) => part.length > 0)
  const { value } = only ?? {}
  return only === undefined || value === undefined || others.length > 0
    ? undefined
    : { value, spans: only.whole.length > 0 ? only.whole : only.part }
}

/** Whether what is named is a part of a longer name: "Rosa" of "Rosa Lopez", where no thing is called so. */
export const isPartOfName = (
  [first, last]: Span,
  words: ReadonlyArray<Word>,
  text: string,
): boolean => {
  const isName = (at: number, next: number): boolean => {
    const [word, other] = [words[at], words[next]]
    if (word === undefined || other === undefined || word.start === 0) return false
    const between = text.slice(Math.min(word.end, other.end), Math.max(word.start, other.start))
    return word.class === "content" && /^\p{Lu}\p{Ll}/u.test(word.text) && /^\s+$/.test(between)
  }
  return isName(first - 1, first) || isName(last + 1, last)
}

/** The start of the noun of a person before the name: "my brother Mateo"; else where the name begins. */
export const leadOf = (
  first: number,
  words: ReadonlyArray<Word>,
  { possessives }: Grammar,
): number => {
  const [owner, noun] = [words[first - 2], words[first - 1]]
  return owner !== undefined &&
    noun?.class === "content" &&
    /^\p{Ll}+$/u.test(noun.text) &&
    possessives.includes(owner.word)
    ? first - 1
    : first
}

/** "Send it" means what was mentioned last, if it was the only thing of its type then. */
export const lastEntity = (
  param: SpokenParam,
  entities: ReadonlyArray<KnownEntity>,
): string | undefined => {
  const [last, before] = ofType(param, entities)
  return last === undefined || (before !== undefined && before.turn === last.turn)
    ? undefined
    : valueOf(param, last)
}
