/** PL5004: an example does not fit its workflow. */
import type { Rule } from "./Rule.ts"

export const badExample: Rule = {
  code: "PL5004",
  slug: "bad_example",
  severity: "error",
  title: "An example does not fit its workflow",
  why: "The model would see inputs that no run can have, or a reply that would be rejected.",
  fix: "Write inputs that the workflow declares, and an output that matches the stage's output schema.",
  wrong: "- { inputs: { mesage: wifi off }, output: { intent: automation } }",
  right: "- { inputs: { message: wifi off }, output: { intent: automation } }",
}
