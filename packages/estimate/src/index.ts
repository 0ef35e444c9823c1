/** What a run may cost at most, without running it. */
export { estimateRun } from "./estimateRun.ts"
export type { Estimate, StageEstimate } from "./Estimate.ts"
