/** Formats asserted in every dialect. Any other `format` is an annotation. */
import { library } from "../library.ts"
import { linearPattern } from "./LinearPattern.ts"

export const assertedFormats: ReadonlyArray<string> = [
  "date",
  "date-time",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "json-pointer",
  "regex",
  "time",
  "uri",
  "uri-reference",
  "uuid",
]

const asserted = new Set(assertedFormats)

/** Undefined for a format that is an annotation. */
export const formatTest = (name: string): ((text: string) => boolean) | undefined => {
  if (!asserted.has(name)) return undefined
  if (name === "regex") return isPattern
  return (text) => testOf(name)(text)
}

const isPattern = (text: string): boolean => {
  try {
    linearPattern(text)
    return true
  } catch {
    return false
  }
}

type Test = (text: string) => boolean

const tests = new Map<string, Test>()

const testOf = (name: string): Test => {
  let test = tests.get(name)
  if (test === undefined) {
    const { fullFormats } = library("ajv-formats/dist/formats.js")
    test = toTest(fullFormats[name as keyof typeof fullFormats])
    tests.set(name, test)
  }
  return test
}

const toTest = (format: unknown): Test => {
  if (format instanceof RegExp) return (text) => format.test(text)
  if (typeof format === "function") return format as Test
  return toTest((format as { readonly validate: unknown }).validate)
}
