/** PL0107: the name cannot be used in expressions. */
import type { Rule } from "./Rule.ts"

export const badName: Rule = {
  code: "PL0107",
  slug: "bad_name",
  severity: "error",
  title: "The name cannot be used in expressions",
  why: "A name consists of `a-z`, `0-9` and `_` and starts with a letter: a hyphen would be read as minus, and some words are reserved by the expression language.",
  fix: "Use the name that the message suggests.",
  wrong: "id: extract-requirements",
  right: "id: extract_requirements",
}
