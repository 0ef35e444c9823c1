/** PL0113: the pattern is not supported. */
import type { Rule } from "./Rule.ts"

export const unsupportedPattern: Rule = {
  code: "PL0113",
  slug: "unsupported_pattern",
  severity: "error",
  title: "The pattern is not supported",
  why: "Patterns are RE2, whose time grows linearly with the text: look-around and back-references can take exponential time.",
  fix: "Write the pattern without look-around, back-references and more than 1,000 repetitions. Check the rest in an `assert`.",
  wrong: "code: { type: string, pattern: '^(?=.*[0-9])[a-z0-9]+$' }",
  right: "code: { type: string, pattern: '[0-9]' }",
}
