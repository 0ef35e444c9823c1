/** The host library: check, load and run workflows, with Effect or with promises. */
export * from "./embed.ts"
export * from "./Workflow.ts"
