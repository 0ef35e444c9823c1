/** The host library: check, load and run workflows, with Effect or with promises. */
export { InputsRejected, RunFailed } from "@planloom/core"
export type * from "./EmbeddedWorkflow.ts"
export { loadWorkflow } from "./loadWorkflow.ts"
export { openProjectStore, type OpenedStore } from "./openProjectStore.ts"
export * from "./Workflow.ts"
