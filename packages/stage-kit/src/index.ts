/** What stage kinds of several packages share. */
export { asJson } from "./asJson.ts"
export {
  confidence,
  confidenceInstruction,
  confidenceReply,
  confidenceRule,
  judgedIn,
  SURE,
  sureOf,
} from "./confidence.ts"
export type { ConfidenceRule, Judged } from "./confidence.ts"
export { corrections } from "./corrections.ts"
export { counted, formatNumber, formatValue } from "./format.ts"
export { plan, text, texts } from "./schemas.ts"
export { withSummary } from "./withSummary.ts"
