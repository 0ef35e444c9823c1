/** Helpers for stage kinds: confidence, corrections, formats, schemas, references, summaries. */
export { asJson } from "./asJson.ts"
export { attachedFiles, attachments, withAttachments } from "./attachments.ts"
export {
  confidence,
  confidenceInstruction,
  confidenceReply,
  confidenceRule,
  readConfidence,
  DEFAULT_THRESHOLD,
  requireConfidence,
} from "./confidence.ts"
export type { ConfidenceRule, ModelConfidence } from "./confidence.ts"
export { corrections, replyCorrection } from "./corrections.ts"
export { counted, formatNumber, formatValue } from "./format.ts"
export { refersTo } from "./refersTo.ts"
export { plan, text, texts, writtenPlan } from "./schemas.ts"
export { withSummary } from "./withSummary.ts"
