/** Text that is valid JSON and fits already: no tree is built for it. */
import { validatorOf } from "@planloom/schema/ajv"
import { repeated, told } from "./Answer.ts"
import { hasRules } from "./fit/hasRules.ts"
import type { Task } from "./parse.ts"
import { Places } from "./Places.ts"
import { duplicatesOf, mayRepeatNames } from "./read/duplicates.ts"
import { Reader } from "./read/Reader.ts"
import { Source } from "./read/Source.ts"
import type { Json, Repair, Result } from "./Salvage.ts"

/** Digits that a double may not hold, and exponents beyond it: such numbers are told about, so they are read with care. */
const RISKY = /\d{16}|\d[eE]\+?\d{3}/

const none: ReadonlyArray<Repair> = []

/** `undefined`: it takes the tolerant reader. */
export const fastParse = ({ text, schema, maxDepth, liberties }: Task): Result | undefined => {
  if (RISKY.test(text)) return undefined
  const value = valueOf(text)
  if (value === undefined || isDeeper(value, maxDepth)) return undefined
  if (schema === undefined) {
    // A text that quotes a whole JSON document was encoded twice.
    if (typeof value === "string") return undefined
  } else if (hasRules(schema, liberties.fill !== "none") || validatorOf(schema)(value).length > 0)
    return undefined
  let repairs: ReadonlyArray<Repair> | undefined
  return {
    ok: true,
    value,
    reasoning: "",
    // Worked out when looked at, and then read again only where a name may stand twice.
    get repairs() {
      return (repairs ??= mayRepeatNames(text, value) ? repeatedIn(text, maxDepth) : none)
    },
    complete: true,
  }
}

const repeatedIn = (text: string, maxDepth: number): ReadonlyArray<Repair> => {
  const reader = new Reader(Source.whole(text), text.search(/[[{]/), maxDepth)
  reader.run()
  const places = new Places(text)
  return duplicatesOf(reader.root).map((twice) => told(repeated(twice), places, text))
}

const valueOf = (text: string): Json | undefined => {
  const first = /\S/.exec(text)?.[0]
  if (first === undefined || !'{["-0123456789tfn'.includes(first)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** Goes no deeper than it asks for, so the stack holds whatever the value is. */
const isDeeper = (value: Json, maxDepth: number): boolean => {
  if (typeof value !== "object" || value === null) return false
  if (maxDepth === 0) return true
  if (Array.isArray(value)) {
    for (const item of value) if (isDeeper(item, maxDepth - 1)) return true
    return false
  }
  for (const key in value) if (isDeeper(value[key]!, maxDepth - 1)) return true
  return false
}
