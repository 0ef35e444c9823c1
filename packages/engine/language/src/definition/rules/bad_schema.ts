/** PL0109: the schema is not valid JSON Schema. */
import type { Rule } from "./Rule.ts"

export const badSchema: Rule = {
  code: "PL0109",
  slug: "bad_schema",
  severity: "error",
  title: "The schema is not valid JSON Schema",
  why: "A misspelled keyword of JSON Schema constrains nothing, and its data would pass unchecked.",
  fix: "Use the keyword that the message suggests. Keywords of your own start with `x-`.",
  wrong: "request: { type: string, minlength: 1 }",
  right: "request: { type: string, minLength: 1 }",
}
