/** Converts the lines of Ollama's reply to the contract's parts. A reply that is not streamed is one line. */
import type { FinishReason, JsonObject, ModelPart, Usage } from "@planloom/plugin/effect"
import {
  brokenOff,
  unknownUsage,
  unreadableReply,
  withReplyState,
  type PartReader,
} from "@planloom/provider-kit"
import { addHint, fromApiError } from "../toProviderError.ts"
import type { ServerOptions } from "../options.ts"
import { toCalls, type Origin } from "../completion.ts"

/** `ChatResponse` of Ollama's api/types.go: the fields that are read, and the error that a stream can contain. */
export interface OllamaChunk {
  readonly message?: {
    readonly content?: string
    readonly thinking?: string
    readonly tool_calls?: ReadonlyArray<{
      readonly id?: string
      readonly function: { readonly name: string; readonly arguments?: JsonObject }
    }>
  }
  readonly done?: boolean
  readonly done_reason?: string
  readonly prompt_eval_count?: number
  readonly eval_count?: number
  readonly error?: string
}

export const ollamaReader = (
  server: ServerOptions,
  origin: Origin,
  requestId: () => string | undefined,
): PartReader<OllamaChunk> => {
  const calls: Array<{ id?: string; name: string; arguments: unknown }> = []
  let text = ""
  let thinking = ""
  let usage: Usage = unknownUsage
  let reason: string | undefined

  return {
    read: (chunk) => {
      if (chunk.error !== undefined) {
        const error = { ...fromApiError({ error: chunk.error }), requestId: requestId(), usage }
        return addHint(error, server, origin.model)
      }
      if (typeof chunk.message !== "object") return unreadableReply
      if (chunk.done === true) {
        reason = chunk.done_reason ?? "stop"
        usage = toUsage(chunk)
      }
      const { content = "", thinking: thought = "", tool_calls: more = [] } = chunk.message
      for (const { function: called, id } of more) {
        calls.push({
          ...(id === undefined ? {} : { id }),
          name: called.name,
          // Null is what the model wrote, and no object.
          arguments: called.arguments === null ? "null" : (called.arguments ?? {}),
        })
      }
      text += content
      thinking += thought
      const parts: Array<ModelPart> = []
      if (thought !== "") parts.push({ type: "reasoning", text: thought })
      if (content !== "") parts.push({ type: "text", text: content })
      return parts
    },
    end: () => {
      if (reason === undefined) return undefined
      const finish = finishReason(reason, calls.length > 0)
      if (finish === undefined) return { ...brokenOff(reason), requestId: requestId(), usage }
      const made = toCalls(calls)
      const id = requestId()
      const state = thinking === "" ? undefined : { thinking }
      return [
        ...withReplyState(origin, { text, toolCalls: made }, state).map((call): ModelPart => ({
          type: "tool_call",
          call,
        })),
        {
          type: "finish",
          reason: finish,
          usage,
          ...(id === undefined ? {} : { requestId: id }),
        },
      ]
    },
    usage: () => usage,
    requestId,
  }
}

const finishReason = (reason: string, called: boolean): FinishReason | undefined => {
  if (reason === "length") return "length"
  if (reason !== "stop") return undefined
  return called ? "tool_calls" : "stop"
}

/** Counts of zero are left out on the wire: a prompt of which all is in the cache has none. */
const toUsage = ({ eval_count: output = 0, prompt_eval_count: input = 0 }: OllamaChunk): Usage => ({
  input,
  output,
  ...(input === 0 || output === 0 ? { estimated: true } : {}),
})
