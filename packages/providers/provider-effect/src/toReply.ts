/** Converts Effect AI's response parts to the contract's reply and stream parts. */
import type { AllParts, FinishReason as AiFinishReason, Usage as AiUsage } from "effect/ai/Response"
import {
  type FinishReason,
  type ModelPart,
  type ModelReply,
  type ToolCall,
  type Usage,
} from "@planloom/plugin/effect"
import { argumentsText, toolCallOf, unknownUsage } from "@planloom/provider-kit"

type Part = AllParts<any>

/** Combines the parts of one reply. Tool calls that the provider ran itself are dropped. */
export const toReply = (parts: ReadonlyArray<Part>): Omit<ModelReply, "model"> => {
  const finish = parts.find((part) => part.type === "finish")
  return {
    text: parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(""),
    reasoning: parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join(""),
    toolCalls: parts.flatMap(toolCall),
    finish: finish === undefined ? "error" : finishReasons[finish.reason],
    usage: finish === undefined ? unknownUsage : toUsage(finish.usage),
    ...requestId(parts),
  }
}

/** Creates the reader of one stream; it keeps the request id, which precedes the finish part that carries it. */
export const modelPartReader = (): ((part: Part) => ReadonlyArray<ModelPart>) => {
  let metadata: { readonly requestId?: string } = {}
  return (part) => {
    switch (part.type) {
      case "response-metadata":
        metadata = requestId([part])
        return []
      case "text-delta":
        return [{ type: "text", text: part.delta }]
      case "reasoning-delta":
        return [{ type: "reasoning", text: part.delta }]
      case "tool-call":
        return toolCall(part).map((call) => ({ type: "tool_call", call }))
      case "finish": {
        const reason = finishReasons[part.reason]
        return [{ type: "finish", reason, usage: toUsage(part.usage), ...metadata }]
      }
      default:
        return []
    }
  }
}

const toolCall = (part: Part): ReadonlyArray<ToolCall> =>
  part.type === "tool-call" && part.providerExecuted !== true
    ? [toolCallOf(part.id, part.name, argumentsText(part.params))]
    : []

const finishReasons: { readonly [R in AiFinishReason]: FinishReason } = {
  stop: "stop",
  length: "length",
  "content-filter": "content_filter",
  "tool-calls": "tool_calls",
  pause: "paused",
  error: "error",
  other: "error",
  // No reason was given.
  unknown: "stop",
}

/** The request id, which providers send in a separate part. */
const requestId = (parts: ReadonlyArray<Part>): { readonly requestId?: string } => {
  const metadata = parts.find((part) => part.type === "response-metadata")
  return metadata?.id === undefined ? {} : { requestId: metadata.id }
}

/** `input` counts cached and written tokens too, as Effect AI's total does. */
const toUsage = ({ inputTokens, outputTokens }: AiUsage): Usage => {
  const { cacheRead: cached, cacheWrite: written, total, uncached } = inputTokens
  return {
    input: total ?? (uncached ?? 0) + (cached ?? 0) + (written ?? 0),
    output: outputTokens.total ?? (outputTokens.text ?? 0) + (outputTokens.reasoning ?? 0),
    ...(cached === undefined ? {} : { cached }),
    ...(written === undefined ? {} : { written }),
    ...(total === undefined || outputTokens.total === undefined ? { estimated: true } : {}),
  }
}
