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
export { resume } from "./run/resume.ts"
export { answer, giveAnswer, isWaiting, type GivenAnswer } from "./run/answer.ts"
export { work, type Worked, type WorkOptions } from "./run/work.ts"
export { misfitOfAnswer, type AnswerNow } from "./run/question.ts"
export type { Ready } from "./run/takeUp.ts"
export { worker, type Ended, type Worker, type WorkerOptions } from "./run/Worker.ts"
export { memorySessions } from "./run/memorySessions.ts"
export { turn } from "./run/turn.ts"
export { runFolder, WORKSPACE } from "./run/RunFolder.ts"
export { pruneRuns, type PrunedRuns } from "./run/pruneRuns.ts"
export { cancel } from "./run/cancel.ts"
export { follow, type FollowOptions } from "./run/follow.ts"
export { replay, type Replayed, type ReplayOptions } from "./run/replay.ts"
export { failedStage, forkOf, retryFrom, StageUnknown, type Fork } from "./run/retry.ts"
export {
  changedInputReadBy,
  outdated,
  stageChanges,
  type StageChange,
  type StagePart,
} from "./run/changes.ts"
export { beginnings, goBack, type Recorded, type Retraction } from "./run/Retraction.ts"
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
