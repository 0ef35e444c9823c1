/** The Planloom engine: a checked workflow → a pipeline → a run. */
export { MemoryConcurrencyLimiter } from "./run/policy/MemoryConcurrencyLimiter.ts"
export {
  emptyRecording,
  memoryJournal,
  recordingJournal,
  type Recording,
} from "./run/journal/journals.ts"
export { RunFailed, type RunResult, type StageResult } from "./run/RunResult.ts"
export { RunFold, resultOf } from "./run/RunFold.ts"
export { InputsRejected } from "./run/InputsRejected.ts"
export { openWorkflow } from "./run/openWorkflow.ts"
export { run } from "./run/run.ts"
export type { RunOptions } from "./run/RunOptions.ts"
export type { AnswerNow } from "./run/AnswerNow.ts"
export { memorySessions } from "./run/session/memorySessions.ts"
export { Cancellation } from "./run/policy/Cancellation.ts"
export type { LoadedWorkflow } from "./pipeline/compile/compileWorkflow.ts"
export type { Pipeline } from "./pipeline/Pipeline.ts"
export { MemoryBudgetLedger } from "./model/limit/MemoryBudgetLedger.ts"
export type { SentRequest } from "./model/SentRequest.ts"
export type { Cassette } from "./model/Cassette.ts"
export { MemoryRateLimiter } from "./model/limit/MemoryRateLimiter.ts"
export type { ModelRegistry } from "./pipeline/ModelRegistry.ts"
export { SwapRefused } from "./pipeline/Swap.ts"
