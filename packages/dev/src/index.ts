/** The edit loop of a workflow, without its terminal. */
export { CallMemory, type CallKind, type MadeCall, type MayWrite } from "./CallMemory.ts"
export { compareRuns, type PartChange, type StageComparison } from "./compareRuns.ts"
export { FileWatch } from "./FileWatch.ts"
export { LocalModules } from "./LocalModules.ts"
export { runEdit, type EditOptions, type EditRun } from "./runEdit.ts"
export { acceptedTest, type AcceptedTest, type TestSettings } from "./acceptedTest.ts"
export { withTest } from "./withTest.ts"
