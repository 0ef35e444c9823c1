/** HTTP API over a run store, as a web-standard fetch handler. */
export type {
  ApiOptions,
  Connection,
  MeasuredRequest,
  MetricsEndpoint,
  PromptIssue,
  ProtocolEndpoint,
  ServedPrompts,
  ServedWorkflow,
} from "./Api.ts"
export { newApiKey } from "./ApiKey.ts"
export type { ApiKey, ApiKeys } from "./ApiKey.ts"
export type { EraseUser, ReviewsEndpoint, ReviewTaken } from "./ReviewsEndpoint.ts"
export { scopes } from "./Scope.ts"
export type { Scope } from "./Scope.ts"
export type { Authenticate, AuthenticatedUser, Authentication } from "./Caller.ts"
export { RunParts } from "./RunParts.ts"
export { handler, replyTo } from "./handler.ts"
export { runSchedules, type ScheduleOptions } from "./triggers/runSchedules.ts"
export { nextTick } from "./triggers/dueTicks.ts"
export { webhookKey } from "./triggers/webhookKey.ts"
