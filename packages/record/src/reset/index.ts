/** Resets: take a run back to a stage, fork it, compare it with a changed workflow. */
export { forkOf, retryFrom, failedStage, StageUnknown, type Fork } from "./retry.ts"
export {
  changedInputReadBy,
  stageChanges,
  type StageChange,
  outdated,
  type StagePart,
} from "./changes.ts"
export { type Retraction, beginnings, goBack, type Recorded } from "./Retraction.ts"
