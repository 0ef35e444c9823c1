/** Fast path for valid JSON that fits the schema: builds no tree. */
import { mayRepeatNames } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import { duplicateRemark, toRepair } from "./Answer.ts"
import { hasFitterKeywords } from "./fit/hasFitterKeywords.ts"
import type { Limits, Task } from "./Task.ts"
import { LocationIndex } from "./LocationIndex.ts"
import { duplicatesOf } from "./read/duplicates.ts"
import { Reader } from "./read/Reader.ts"
import { Source } from "./read/Source.ts"
import type { Json, Repair, Result } from "./Salvage.ts"

/** Digits or exponents beyond a double: the tolerant reader reports such numbers. */
const RISKY = /\d{16}|\d[eE]\+?\d{3}/

const none: ReadonlyArray<Repair> = []

/** Returns `undefined` if the text needs the tolerant reader. */
export const fastParse = ({ text, schema, limits, recovery }: Task): Result | undefined => {
  if (RISKY.test(text)) return undefined
  const value = valueOf(text)
  if (value === undefined || isDeeper(value, limits.maxDepth)) return undefined
  if (schema === undefined) {
    // A string that holds a whole JSON document was encoded twice.
    if (typeof value === "string") return undefined
  } else if (
    hasFitterKeywords(schema, recovery.fill !== "none") ||
    validatorOf(schema)(value).length > 0
  )
    return undefined
  let repairs: ReadonlyArray<Repair> | undefined
  return {
    ok: true,
    value,
    reasoning: "",
    // Computed on first access; reads the text again only if a name may be duplicated.
    get repairs() {
      return (repairs ??= mayRepeatNames(text, value) ? duplicateRepairs(text, limits) : none)
    },
    complete: true,
  }
}

const duplicateRepairs = (text: string, limits: Limits): ReadonlyArray<Repair> => {
  const reader = new Reader(Source.whole(text, limits), text.search(/[[{]/))
  reader.run()
  const places = new LocationIndex(text)
  return duplicatesOf(reader.root).map((twice) => toRepair(duplicateRemark(twice), places, text))
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

/** Recursion is bounded by `maxDepth`. */
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
