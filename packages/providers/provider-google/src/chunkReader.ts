/** Converts the chunks of one reply to the contract's parts. A reply that is not streamed is one chunk. */
import type { FunctionCall, GenerateContentResponse, Part } from "@google/genai"
import type { FinishReason, Json, ModelPart, ToolCall, Usage } from "@planloom/plugin/effect"
import { sumUsage } from "@planloom/plugin/facts"
import {
  argumentsText,
  brokenOff,
  toolCallOf,
  unknownUsage,
  withReplyState,
  type TurnReader,
  type ProviderError,
} from "@planloom/provider-kit"
import { newCallId } from "./callId.ts"

export const SERVICE = "google"

/** The arguments of a call of the tool named `answer` are the reply's text. */
export const chunkReader = (
  /** As the request names it. */
  model: string,
  answer?: string,
): TurnReader<GenerateContentResponse, string> => {
  const calls: Array<ToolCall> = []
  /** All but thoughts in words, which the service does not need back. */
  const kept: Array<Part> = []
  let text = ""
  /** Of the earlier requests of the turn. */
  let spent: Usage = { input: 0, output: 0 }
  let usage: Usage = unknownUsage
  let stopped: string | undefined
  let token: string | undefined
  let requestId: string | undefined

  return {
    read: (chunk) => {
      if (chunk.usageMetadata !== undefined) usage = sumUsage(spent, toUsage(chunk.usageMetadata))
      requestId = chunk.responseId ?? requestId
      const blocked = chunk.promptFeedback?.blockReason
      if (blocked !== undefined) {
        return {
          class: "content_filter",
          message: `the prompt was refused (${blocked})`,
          requestId,
          usage,
        }
      }
      const candidate = chunk.candidates?.[0]
      stopped = candidate?.finishReason ?? stopped
      token = candidate?.continuationToken ?? token
      const error = finishError(stopped, candidate?.finishMessage, requestId)
      if (error !== undefined) return { ...error, usage }
      const parts = candidate?.content?.parts ?? []
      return parts.flatMap((part): ReadonlyArray<ModelPart> => {
        const { functionCall: call } = part
        if (call?.name !== undefined && call.name === answer) {
          return [{ type: "text", text: JSON.stringify(call.args ?? {}) }]
        }
        if (part.thought !== true) kept.push(part)
        if (call?.name !== undefined) {
          calls.push(toCall(call, call.name))
          return []
        }
        if (part.text === undefined || part.text === "") return []
        if (part.thought === true) return [{ type: "reasoning", text: part.text }]
        text += part.text
        return [{ type: "text", text: part.text }]
      })
    },
    paused: () => (stopped === "CONTINUATION" ? token : undefined),
    resume: () => {
      // The usage of the next request is estimated until the service reports it.
      spent = usage
      usage = { ...usage, estimated: true }
      stopped = undefined
      token = undefined
    },
    end: () => {
      if (stopped === undefined) return undefined
      const reason = calls.length > 0 && stopped === "STOP" ? "tool_calls" : reasons.get(stopped)
      if (reason === undefined) return { ...brokenOff(stopped), requestId, usage }
      const state = kept.some(({ thoughtSignature }) => thoughtSignature !== undefined)
        ? (kept as unknown as Json)
        : undefined
      return [
        ...withReplyState({ service: SERVICE, model }, { text, toolCalls: calls }, state).map(
          (call): ModelPart => ({ type: "tool_call", call }),
        ),
        {
          type: "finish",
          reason,
          usage,
          ...(requestId === undefined ? {} : { requestId }),
        },
      ]
    },
    usage: () => usage,
    requestId: () => requestId,
  }
}

const toCall = ({ args, id }: FunctionCall, name: string): ToolCall =>
  toolCallOf(id ?? newCallId(), name, argumentsText(args))

const refusalReasons = new Set([
  "SAFETY",
  "RECITATION",
  "LANGUAGE",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
  "IMAGE_RECITATION",
])

/** Invalid output of the model: a retry may succeed. */
const invalidOutputReasons = new Set([
  "MALFORMED_FUNCTION_CALL",
  "UNEXPECTED_TOOL_CALL",
  "MALFORMED_RESPONSE",
])

/** The error that a finish reason reports; undefined for a regular finish. */
const finishError = (
  reason: string | undefined,
  explanation: string | undefined,
  requestId: string | undefined,
): ProviderError | undefined => {
  const suffix = explanation === undefined ? "" : `: ${explanation}`
  if (reason !== undefined && refusalReasons.has(reason)) {
    return {
      class: "content_filter",
      message: `the model's reply was refused (${reason})${suffix}`,
      requestId,
    }
  }
  if (reason !== undefined && invalidOutputReasons.has(reason)) {
    return {
      class: "invalid_output",
      message: `the model's tool call cannot be read (${reason})${suffix}`,
      unreadCall: true,
      requestId,
    }
  }
  return undefined
}

const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ["STOP", "stop"],
  ["MAX_TOKENS", "length"],
  ["CONTINUATION", "paused"],
])

/** Converts token counts. The service counts thoughts beside the candidates, and cached tokens within the prompt. */
const toUsage = (usage: NonNullable<GenerateContentResponse["usageMetadata"]>): Usage => {
  const cached = usage.cachedContentTokenCount ?? 0
  return {
    input: (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0),
    output: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
    ...(cached === 0 ? {} : { cached }),
  }
}
