/** PL0006: aliases expand to too many values. */
import type { Rule } from "./Rule.ts"

export const aliasBomb: Rule = {
  code: "PL0006",
  slug: "alias_bomb",
  severity: "error",
  title: "Aliases expand to too many values",
  why: "A few lines of nested aliases can expand to billions of values and exhaust the memory of the process.",
  fix: "Write the values out, or name a policy, a prompt or a template instead of copying it.",
  wrong: "a: &a [*a]",
  right: "a: [1, 2]",
}
