/** PL0103: the value is of the wrong type. */
import type { Rule } from "./Rule.ts"

export const wrongType: Rule = {
  code: "PL0103",
  slug: "wrong_type",
  severity: "error",
  title: "The value is of the wrong type",
  why: "Guessing what was meant would work until it does not; so every value has one type.",
  mend: "Write a value of the type the message names.",
  wrong: "needs: plan",
  right: "needs: [plan]",
}
