/** Recorded runs: resume, answer, cancel, reset, fork, migrate, replay, and the worker that does so by itself. */
export { resume } from "./resume/resume.ts"
export { pruneRuns, type PrunedRuns } from "./read/pruneRuns.ts"
export { giveAnswer, isWaiting, answer, type GivenAnswer } from "./resume/answer.ts"
export { forkOf, retryFrom, failedStage, StageUnknown, type Fork } from "./reset/retry.ts"
export {
  changedInputReadBy,
  stageChanges,
  type StageChange,
  outdated,
  type StagePart,
} from "./reset/changes.ts"
export { type Retraction, beginnings, goBack, type Recorded } from "./reset/Retraction.ts"
export { type Replayed, replay, type ReplayOptions } from "./read/replay.ts"
export { follow, type FollowOptions } from "./read/follow.ts"
export { type Ended, worker, type Worker, type WorkerOptions } from "./worker/Worker.ts"
export type { Ready } from "./worker/takeUp.ts"
export { work, type Worked, type WorkOptions } from "./worker/work.ts"
export { turn } from "./resume/turn.ts"
export { cancel } from "./resume/cancel.ts"
export { putDown } from "./worker/putDown.ts"
