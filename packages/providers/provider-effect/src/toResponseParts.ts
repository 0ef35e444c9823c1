/** Converts the contract's reply and stream parts to Effect AI's response parts. */
import type { FinishPartEncoded, PartEncoded, StreamPartEncoded } from "effect/ai/Response"
import type { FinishReason, ModelPart, ModelReply, ToolCall, Usage } from "@planloom/plugin/effect"
import { OPTIONS_KEY } from "./fromPrompt.ts"

/** Converts a reply that is not streamed. */
export const toResponseParts = (reply: Omit<ModelReply, "model">): Array<PartEncoded> => [
  ...(reply.requestId === undefined
    ? []
    : [{ type: "response-metadata", id: reply.requestId } as const]),
  ...(reply.reasoning === "" ? [] : [{ type: "reasoning", text: reply.reasoning } as const]),
  ...(reply.text === "" ? [] : [{ type: "text", text: reply.text } as const]),
  ...reply.toolCalls.map(toCall),
  toFinish(reply.finish, reply.usage),
]

/** Creates the reader of one stream; it groups text and reasoning into runs with start and end parts. */
export const responsePartReader = (): ((part: ModelPart) => ReadonlyArray<StreamPartEncoded>) => {
  let run: "text" | "reasoning" | undefined
  let runs = 0
  const end = (): ReadonlyArray<StreamPartEncoded> => {
    if (run === undefined) return []
    const ended = { type: `${run}-end`, id: String(runs) } as const
    run = undefined
    return [ended]
  }
  return (part) => {
    switch (part.type) {
      case "text":
      case "reasoning": {
        const { text: delta, type } = part
        if (run === type) return [{ type: `${type}-delta`, id: String(runs), delta }]
        const before = end()
        run = type
        const id = String(++runs)
        return [...before, { type: `${type}-start`, id }, { type: `${type}-delta`, id, delta }]
      }
      case "tool_call":
        return [...end(), toCall(part.call)]
      case "finish":
        return [
          ...end(),
          ...(part.requestId === undefined
            ? []
            : [{ type: "response-metadata", id: part.requestId } as const]),
          toFinish(part.reason, part.usage),
        ]
    }
  }
}

const toCall = ({ arguments: params, id, name, signature, written }: ToolCall) =>
  ({
    type: "tool-call",
    id,
    name,
    // Effect AI compares them with the tool's schema.
    params: written ?? params,
    ...(signature === undefined ? {} : { metadata: { [OPTIONS_KEY]: { signature } } }),
  }) as const

const reasons = {
  stop: "stop",
  length: "length",
  tool_calls: "tool-calls",
  content_filter: "content-filter",
  paused: "pause",
  error: "error",
} as const satisfies { readonly [R in FinishReason]: string }

/**
 * Effect AI's usage has no optional fields: unknown counts are undefined. Estimated counts have no total.
 */
const toFinish = (
  reason: FinishReason,
  { cached, estimated, input, output, written }: Usage,
): FinishPartEncoded => ({
  type: "finish",
  reason: reasons[reason],
  usage: {
    inputTokens: {
      uncached: input - (cached ?? 0) - (written ?? 0),
      total: estimated === true ? undefined : input,
      cacheRead: cached,
      cacheWrite: written,
    },
    outputTokens:
      estimated === true
        ? { total: undefined, text: output, reasoning: undefined }
        : { total: output, text: undefined, reasoning: undefined },
  },
})
