/** PL0113: a pattern of a JSON Schema that has no match in linear time. */
import type { Rule } from "./Rule.ts"

export const unsupportedPattern: Rule = {
  code: "PL0113",
  slug: "unsupported_pattern",
  severity: "error",
  title: "The pattern is not supported",
  why: "Patterns are RE2, whose time grows with the text only: look-around and back-references can take exponential time on a text made for it.",
  mend: "Write the pattern without look-around, back-references and more than 1,000 repetitions. Check what is left in an `assert`.",
  wrong: "code: { type: string, pattern: '^(?=.*[0-9])[a-z0-9]+$' }",
  right: "code: { type: string, pattern: '[0-9]' }",
}
