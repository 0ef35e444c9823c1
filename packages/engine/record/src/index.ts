/** Recorded runs: resume, answer, cancel and prune them. */
export { resume, type ResumeOptions } from "./resume/resume.ts"
export { pruneRuns, type PrunedRuns } from "./read/pruneRuns.ts"
export {
  authorMismatch,
  giveAnswer,
  isWaiting,
  answer,
  openWait,
  type GivenAnswer,
} from "./resume/answer.ts"
export { turn } from "./resume/turn.ts"
export { cancel } from "./resume/cancel.ts"
