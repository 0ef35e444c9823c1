/** Reasons why a `repeat` ends, as a closed list. */

/** Each reason with its meaning. */
export const loopStops = {
  done: "`until` is true",
  no_new_call: "no tool call of a round reached its tool, with `on_no_new_call: end`",
  iterations: "`max_iterations` is reached",
  budget: "a round failed because a budget is spent",
  time: "a round failed because a time limit passed",
  clarification: "a round failed with a question that has no answer",
  round_failed: "a round failed for another reason",
} as const

export type LoopStop = keyof typeof loopStops
