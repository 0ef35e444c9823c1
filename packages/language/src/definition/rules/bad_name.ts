/** PL0107: the name cannot be used in expressions. */
import type { Rule } from "./Rule.ts"

export const badName: Rule = {
  code: "PL0107",
  slug: "bad_name",
  severity: "error",
  title: "The name cannot be used in expressions",
  why: "A name is `a-z`, `0-9` and `_`, beginning with a letter: a hyphen would read as minus, and some words belong to the expression language.",
  mend: "Take the name the message suggests.",
  wrong: "id: extract-requirements",
  right: "id: extract_requirements",
}
