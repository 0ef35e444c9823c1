/** Resets: take a run back to a stage, fork it, compare it with a changed workflow. */
export { forkOf, resetFrom, failedStage, StageUnknown, type Fork } from "./resetFrom.ts"
export {
  changedInputReadBy,
  stageChanges,
  type StageChange,
  outdated,
  type StagePart,
} from "./changes.ts"
export { type Reset, startSeqs, resetTo, type Recorded } from "./Reset.ts"
