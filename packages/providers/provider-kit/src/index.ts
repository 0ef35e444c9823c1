/** Building blocks of model providers on an SDK: requests with limits, failure classes, streamed replies. */
export { answerTool, type AnswerTool } from "./answerTool.ts"
export { describeOutput } from "./describeOutput.ts"
export { embedInBatches, type EmbeddingService } from "./embedInBatches.ts"
export type { HttpExchange } from "./http/HttpExchange.ts"
export { defaultLimits, parseLimits, replySizeLimit, type Limits } from "./Limits.ts"
export { listed } from "./listed.ts"
export { loadSdk } from "./loadSdk.ts"
export { mergeNeighbors } from "./mergeNeighbors.ts"
export { messageInBody } from "./http/messageInBody.ts"
export { parseRetryAfter } from "./http/parseRetryAfter.ts"
export { argumentsText, parseToolArguments, toolCallOf } from "./parseToolArguments.ts"
export { chunksOfTurn, MAX_CONTINUATIONS, readWholeTurn, type TurnReader } from "./pausedReply.ts"
export {
  brokenOff,
  classifyStatus,
  isContextLengthMessage,
  redact,
  toModelFailed,
  unknownUsage,
  unreadableReply,
  type ProviderError,
} from "./ProviderError.ts"
export { isProviderError, readParts, tryRead, type PartReader } from "./readParts.ts"
export { collectReply, readWholeReply } from "./readWholeReply.ts"
export { RefusedForms } from "./RefusedForms.ts"
export { replyStateOf, withReplyState } from "./replyState.ts"
export {
  guardKeys,
  missingKeyMessage,
  secretKey,
  type KeyHost,
  type SecretKey,
} from "./secretKey.ts"
export { sendRequest, streamRequest, type RequestOptions } from "./sendRequest.ts"
export { serviceName, withServiceNames } from "./toolNames.ts"
export { transportError } from "./http/transportError.ts"
