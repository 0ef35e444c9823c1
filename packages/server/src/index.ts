/** HTTP API over a run store, as a web-standard fetch handler. */
export type { ServedWorkflow, ApiOptions } from "./Api.ts"
export type { Authenticate, AuthenticatedUser, Authentication } from "./Caller.ts"
export { RunParts } from "./RunParts.ts"
export { handler } from "./handler.ts"
