/** Resets: take a run back to a stage, fork it, compare it with a changed workflow. */
export { forkOf, resetFrom, failedStage, StageUnknown, type Fork } from "./resetFrom.ts"
export { stageChanges, type StageChange, type StagePart } from "./changes.ts"
export { forkConflict, type ForkConflict } from "./forkConflict.ts"
export { migrate, planMigration, type Migration } from "./migrate.ts"
export { type Reset, startSeqs, resetTo, type Recorded } from "./Reset.ts"
