/** Signs of an attack on the instructions of a model, in a text, plain and behind disguises. */
import type { Found } from "../findingOf.ts"
import { attacksOf, type Attacks } from "./attacksOf.ts"
import { hiddenTexts } from "./hiddenTexts.ts"

/** The built-in phrases unless others are given. */
export const attacksIn = (text: string, attacks: Attacks = attacksOf([])): ReadonlyArray<Found> => [
  ...attacks.in(text),
  ...hiddenTexts(text, attacks.spelling).flatMap(({ end, how, start, text: hidden }) =>
    attacks.in(hidden).map((one) => ({ ...one, start, end, what: `${one.what}, ${how}` })),
  ),
]
