/** The Planloom engine: check, load, run; for Effect programs and for plain promises. */
export { Groups } from "./run/Groups.ts"
export { emptyRecording, memoryJournal, recordingJournal, type Recording } from "./run/journals.ts"
export {
  RunFailed,
  type ReplyCounts,
  type RunResult,
  type RunUsage,
  type StageResult,
} from "./run/RunResult.ts"
export { RunFold, resultOf } from "./run/RunFold.ts"
export type { RunStatus } from "@planloom/plugin"
export { InputsRejected } from "./run/InputsRejected.ts"
export { run } from "./run/run.ts"
export type { RunOptions } from "./run/RunOptions.ts"
export { misfitOfAnswer, type AnswerNow } from "./run/question.ts"
export { memorySessions } from "./run/memorySessions.ts"
export { runFolder, WORKSPACE } from "./run/RunFolder.ts"
export { markedPersonal, missingPersonal } from "./run/personal.ts"
export { runOutcome } from "./run/keepFailure.ts"
export { Stopping } from "./run/Stopping.ts"
export { compileWorkflow, type LoadedWorkflow } from "./pipeline/compileWorkflow.ts"
export type { Pipeline } from "./pipeline/Pipeline.ts"
export { explain as explainPipeline } from "./pipeline/explain.ts"
export { BudgetAccount } from "./model/Budget.ts"
export type { Cassette, CassetteCall } from "./model/Cassette.ts"
export { Limits } from "./model/Limits.ts"
export { exampleTokens } from "./prompt/withExamples.ts"
export { withoutExample } from "./prompt/withoutExample.ts"
export { renderPrompt } from "./prompt/renderPrompt.ts"
export { estimateTokens, tokenCounter, type TokenCounter } from "./prompt/tokens.ts"
export { mostTokens } from "./prompt/mostTokens.ts"
export { worstCost } from "./model/worstOf.ts"
export type { Block, KindWork, Node } from "./pipeline/Pipeline.ts"
export {
  SwapRefused,
  type AliasModels,
  type ModelRegistry,
  type StageModels,
  type Swap,
  type SwapReason,
  type SwapTarget,
} from "./pipeline/ModelRegistry.ts"
export { unsetModel, type ModelChoice, type ResolvedModel } from "./pipeline/resolveModel.ts"
