/** The events of one streamed answer → the contract's parts. */
import type Anthropic from "@anthropic-ai/sdk"
import type { ModelPart } from "@planloom/plugin"
import { toolArguments, type PartReader, type Trouble } from "@planloom/provider-kit"
import type { OutputForm } from "./outputForm.ts"
import { finishReason, refused, toUsage, type Tokens } from "./toReply.ts"

type Event = Anthropic.RawMessageStreamEvent

interface OpenCall {
  readonly id: string
  readonly name: string
  json: string
}

/** `requestId` is asked for at the end, when the answer's headers are surely there. */
export const eventReader = (
  form: OutputForm,
  requestId: () => string | undefined,
): PartReader<Event> => {
  const calls = new Map<number, OpenCall>()
  let tokens: Tokens = {}
  let stopped: Anthropic.StopReason | null = null
  let ended = false
  let answered = false

  const closed = (index: number): ReadonlyArray<ModelPart> | Trouble => {
    const call = calls.get(index)
    calls.delete(index)
    if (call === undefined) return []
    const given = toolArguments(call.json)
    if (given === undefined) {
      return {
        class: "invalid_output",
        message: `the arguments for ${call.name} are no JSON object`,
        requestId: requestId(),
        usage: { ...toUsage(tokens), estimated: true },
      }
    }
    return [{ type: "tool_call", call: { id: call.id, name: call.name, arguments: given } }]
  }

  const delta = ({ delta: piece, index }: Anthropic.RawContentBlockDeltaEvent) => {
    switch (piece.type) {
      case "text_delta":
        return [{ type: "text", text: piece.text }] as const
      case "thinking_delta":
        return [{ type: "reasoning", text: piece.thinking }] as const
      case "input_json_delta": {
        const call = calls.get(index)
        if (call === undefined) return []
        if (form.form !== "tool" || call.name !== form.name) {
          call.json += piece.partial_json
          return []
        }
        return [{ type: "text", text: piece.partial_json }] as const
      }
      default:
        return []
    }
  }

  return {
    read: (event) => {
      switch (event.type) {
        case "message_start":
          tokens = event.message.usage ?? {}
          return []
        case "content_block_start": {
          const block = event.content_block
          if (block.type !== "tool_use") return []
          if (form.form === "tool" && block.name === form.name) answered = true
          calls.set(event.index, { id: block.id, name: block.name, json: "" })
          return []
        }
        case "content_block_delta":
          return delta(event)
        case "content_block_stop":
          if (form.form === "tool" && calls.get(event.index)?.name === form.name) return []
          return closed(event.index)
        case "message_delta":
          stopped = event.delta.stop_reason
          tokens = { ...tokens, ...toldIn(event.usage) }
          return stopped === "refusal"
            ? refused(event.delta.stop_details, requestId(), toUsage(tokens))
            : []
        case "message_stop":
          ended = true
          return []
        default:
          return []
      }
    },
    end: () => {
      if (!ended) return undefined
      const id = requestId()
      return [
        {
          type: "finish",
          reason: answered ? "stop" : finishReason(stopped),
          usage: toUsage(tokens),
          ...(id === undefined ? {} : { requestId: id }),
        },
      ]
    },
    usage: () => toUsage(tokens),
    requestId,
  }
}

/** Totals so far; what the beginning has told and the end does not repeat stays. */
const toldIn = (usage: Tokens | null | undefined): Tokens =>
  Object.fromEntries(Object.entries(usage ?? {}).filter(([, told]) => typeof told === "number"))
