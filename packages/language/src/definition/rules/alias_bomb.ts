/** PL0006: aliases multiply the file beyond measure. */
import type { Rule } from "./Rule.ts"

export const aliasBomb: Rule = {
  code: "PL0006",
  slug: "alias_bomb",
  severity: "error",
  title: "Aliases multiply the file beyond measure",
  why: "A few lines of aliases of aliases can grow to billions of values and take the process down.",
  mend: "Write the values out, or name a policy, a prompt or a template instead of copying it.",
  wrong: "a: &a [*a]",
  right: "a: [1, 2]",
}
