/** Removes secrets and personal inputs from what a run records, except its definition, which is recorded unchanged or not at all. */
import type { Json } from "@planloom/plugin/effect"
import type { Personal } from "./personal.ts"
import { scrubber } from "./scrub.ts"

export interface Scrubbing {
  readonly definition?: Json
  readonly secrets?: ReadonlyArray<string>
  /** The inputs as they are recorded: without personal texts. */
  readonly recorded: Json
}

/** Personal texts stay in the definition and in the recorded inputs, which have placeholders of them. */
export const scrubbing = (
  personal: Personal,
  { definition, recorded, secrets = [] }: Scrubbing,
): ((value: Json) => Json) | undefined => {
  const scrub = scrubber(secrets)
  if (personal.none && scrub === undefined) return undefined
  return (value) => {
    if (value === definition) return recordedDefinition(value, secrets)
    const clean = scrub === undefined ? value : scrub(value)
    return personal.none || value === recorded ? clean : personal.hide(clean)
  }
}

/**
 * A definition without a part of its text would be another workflow: with the value of a secret in it, the run is recorded
 * without its definition and cannot be resumed. A word stays.
 */
const recordedDefinition = (definition: Json, secrets: ReadonlyArray<string>): Json => {
  const scrub = scrubber(secrets.filter((secret) => !isWord(secret)))
  return scrub === undefined || scrub(definition) === definition ? definition : null
}

/** Keys of letters alone are longer than words. */
const MAX_WORD_CHARS = 20

/** Letters in the case of a word: `unused`, `Ollama`, `NONE`; a placeholder for a service that asks for no key. */
const isWord = (secret: string): boolean =>
  secret.length <= MAX_WORD_CHARS && /^(?:\p{Lu}?[\p{Ll}\p{Lo}]+|\p{Lu}+)$/u.test(secret)
