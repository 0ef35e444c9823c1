/** The text of a model's reply: what a stage reads of it, and what leaves while it is written. */
export { askJson } from "./askJson.ts"
export { areRead, readCalls } from "./readCalls.ts"
export { completeReply } from "./completeReply.ts"
export { readReply } from "./readReply.ts"
export {
  asksForReasoning,
  emitReasoning,
  noteMissingReasoning,
  type ReplySite,
} from "./ReplySite.ts"
export { isTooLarge, mostBytesOf, replyBytes, textBytes, tooLarge } from "./replySize.ts"
export { splitReasoning } from "./text/splitReasoning.ts"
export { withoutReasoning } from "./text/withoutReasoning.ts"
export { ReplyFilter, type ReplyOutputs } from "./parts/ReplyFilter.ts"
export { ReplyParts } from "./parts/ReplyParts.ts"
export type { ReplyReader } from "./parts/ReplyReader.ts"
export {
  throughGate,
  type GatedReply,
  type GatedRequest,
  type ReplyGate,
} from "./parts/throughGate.ts"
export { settledText } from "./parts/settledText.ts"
export { ValueParts } from "./parts/ValueParts.ts"
