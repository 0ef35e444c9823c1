/** PL0109: this is not JSON Schema. */
import type { Rule } from "./Rule.ts"

export const badSchema: Rule = {
  code: "PL0109",
  slug: "bad_schema",
  severity: "error",
  title: "This is not JSON Schema",
  why: "A misspelt word of JSON Schema constrains nothing, and its data would pass unchecked.",
  mend: "Take the word the message suggests. Words of your own begin with `x-`.",
  wrong: "request: { type: string, minlength: 1 }",
  right: "request: { type: string, minLength: 1 }",
}
