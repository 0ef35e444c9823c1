/** The tool loop of a model. */
export { AgentLoop } from "./AgentLoop.ts"
export type { AgentSite, Asked, LoopReply } from "./AgentSite.ts"
