/** HTTP API over a run store, as a web-standard fetch handler. */
export type { ServedWorkflow, ApiOptions } from "./Api.ts"
export { handler } from "./handler.ts"
