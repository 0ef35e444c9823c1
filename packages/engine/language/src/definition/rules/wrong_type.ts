/** PL0103: the value has the wrong type. */
import type { Rule } from "./Rule.ts"

export const wrongType: Rule = {
  code: "PL0103",
  slug: "wrong_type",
  severity: "error",
  title: "The value has the wrong type",
  why: "Every value has one type; none is guessed or converted.",
  fix: "Write a value of the type that the message names.",
  wrong: "needs: plan",
  right: "needs: [plan]",
}
