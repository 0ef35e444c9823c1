/** PL2009: the loop has no bound. */
import type { Rule } from "./Rule.ts"

export const unboundedLoop: Rule = {
  code: "PL2009",
  slug: "unbounded_loop",
  severity: "error",
  title: "The loop has no bound",
  why: "A condition that never becomes true would let it run, and cost, without end.",
  fix: "Limit the number of iterations: by a number, or by an expression over flags and experiments whose values are bounded.",
  wrong: "repeat: { until: stages.reflect.output.done }",
  right: "repeat: { until: stages.reflect.output.done, max_iterations: 3 }",
}
