/** What every model provider on an SDK needs: requests that end in time, failures in the contract's words. */
export { addressFault } from "./addressFault.ts"
export { answerTool, type AnswerTool } from "./answerTool.ts"
export { askParts, askWhole, type Asking } from "./ask.ts"
export { broken } from "./broken.ts"
export { embedIn, type Embedding } from "./embedIn.ts"
export { foldParts, replyOf } from "./foldParts.ts"
export {
  durationOf,
  durationPattern,
  limitsOf,
  ownLimit,
  usualLimits,
  type Limits,
} from "./Limits.ts"
export { isTrouble, readable, readParts, type PartReader } from "./readParts.ts"
export { retryAfter } from "./retryAfter.ts"
export { saidIn } from "./saidIn.ts"
export { missingKey, secretKey, type SecretKey } from "./secretKey.ts"
export { toolArguments } from "./toolArguments.ts"
export { classOf, clean, failureOf, tooLong, unreadable, untold, type Trouble } from "./Trouble.ts"
export type { Wire } from "./Wire.ts"
