/** Things of a conversation as values of params: those that a request names, and the one that was mentioned last. */
import type { Entity } from "@planloom/plugin/effect"
import { stemsOf, type SpokenParam } from "./SpokenParam.ts"
import type { Grammar } from "./Grammar.ts"
import { stem } from "./stem.ts"

/** `turn` is the one of the last mention. */
export type KnownEntity = Entity & { readonly turn?: number }

/** Indexes of the first and the last word. */
export type Span = readonly [number, number]

const ofType = ({ entity }: SpokenParam, entities: ReadonlyArray<KnownEntity>) =>
  entities.filter(({ type }) => type === entity?.type)

const valueOf = ({ entity }: SpokenParam, { id, name }: KnownEntity): string =>
  entity?.gives === "name" ? (name ?? id) : id

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
  return only === undefined || others.length > 0
    ? undefined
    : { value: only.value, spans: only.whole.length > 0 ? only.whole : only.part }
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
