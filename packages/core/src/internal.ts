/** Names for Planloom's own packages. They may change in any release. */
export { inputsOf } from "./run/InputsRejected.ts"
export { putDown } from "./run/putDown.ts"
export { issuesOfAnswer } from "./run/question.ts"
export { stillOpen, undeclared } from "./run/refusedTurn.ts"
export { listed } from "./pipeline/listed.ts"
export { scrubber } from "./run/scrub.ts"
