/** The pieces of one answer → the contract's parts. An answer that is not streamed is one piece. */
import type { GenerateContentResponse, Part } from "@google/genai"
import type { FinishReason, JsonObject, ModelPart, Usage } from "@planloom/plugin"
import { untold, type PartReader, type Trouble } from "@planloom/provider-kit"
import { newCallId } from "./callId.ts"

/** A call of the tool named `answer` is the reply's text. */
export const pieceReader = (answer?: string): PartReader<GenerateContentResponse> => {
  let usage: Usage = untold
  let stopped: string | undefined
  let requestId: string | undefined
  let called = false

  return {
    read: (piece) => {
      usage = piece.usageMetadata === undefined ? usage : toUsage(piece.usageMetadata)
      requestId = piece.responseId ?? requestId
      const blocked = piece.promptFeedback?.blockReason
      if (blocked !== undefined) {
        return {
          class: "content_filter",
          message: `the prompt was refused (${blocked})`,
          requestId,
          usage,
        }
      }
      const candidate = piece.candidates?.[0]
      stopped = candidate?.finishReason ?? stopped
      const trouble = troubleOf(stopped, candidate?.finishMessage, requestId)
      if (trouble !== undefined) return { ...trouble, usage }
      const parts = (candidate?.content?.parts ?? []).flatMap((part) =>
        part.functionCall?.name !== undefined && part.functionCall.name === answer
          ? [{ type: "text", text: JSON.stringify(part.functionCall.args ?? {}) } as const]
          : toPart(part),
      )
      called ||= parts.some(({ type }) => type === "tool_call")
      return parts
    },
    end: () =>
      stopped === undefined
        ? undefined
        : [
            {
              type: "finish",
              reason: called && stopped === "STOP" ? "tool_calls" : finishReason(stopped),
              usage,
              ...(requestId === undefined ? {} : { requestId }),
            },
          ],
    usage: () => usage,
    requestId: () => requestId,
  }
}

const toPart = (part: Part): ReadonlyArray<ModelPart> => {
  const { functionCall: call, text, thought, thoughtSignature: signature } = part
  if (call?.name !== undefined) {
    return [
      {
        type: "tool_call",
        call: {
          id: call.id ?? newCallId(),
          name: call.name,
          arguments: (call.args ?? {}) as JsonObject,
          ...(signature === undefined ? {} : { signature }),
        },
      },
    ]
  }
  if (text === undefined || text === "") return []
  return [{ type: thought === true ? "reasoning" : "text", text }]
}

const refusals = new Set([
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

/** The model's own mistakes: another try may do better. */
const mistakes = new Set(["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE"])

const troubleOf = (
  reason: string | undefined,
  more: string | undefined,
  requestId: string | undefined,
): Trouble | undefined => {
  const said = more === undefined ? "" : `: ${more}`
  if (reason !== undefined && refusals.has(reason)) {
    return {
      class: "content_filter",
      message: `the model's reply was refused (${reason})${said}`,
      requestId,
    }
  }
  if (reason !== undefined && mistakes.has(reason)) {
    return {
      class: "invalid_output",
      message: `the model's call of a tool cannot be read (${reason})${said}`,
      requestId,
    }
  }
  return undefined
}

const finishReason = (reason: string): FinishReason => {
  if (reason === "STOP") return "stop"
  return reason === "MAX_TOKENS" ? "length" : "other"
}

/** The service counts thoughts beside the candidates, and what came from its cache within the prompt. */
const toUsage = (usage: NonNullable<GenerateContentResponse["usageMetadata"]>): Usage => {
  const cached = usage.cachedContentTokenCount ?? 0
  return {
    input: (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0),
    output: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
    ...(cached === 0 ? {} : { cached }),
  }
}
