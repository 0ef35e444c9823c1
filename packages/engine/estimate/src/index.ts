/** The worst case of a run, without running it. */
export { estimateRun } from "./estimateRun.ts"
export type { Estimate, Parts, Purpose, StageEstimate } from "./Estimate.ts"
export { isExact, type Range, type Work } from "./Work.ts"
