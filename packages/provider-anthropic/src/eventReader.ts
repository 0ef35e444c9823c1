/** Converts the events of one streamed reply to the contract's parts. */
import type Anthropic from "@anthropic-ai/sdk"
import type { ModelPart } from "@planloom/plugin/effect"
import { parseToolArguments, type PartReader, type ProviderError } from "@planloom/provider-kit"
import type { OutputForm } from "./outputForms.ts"
import { toSignature } from "./thoughts.ts"
import { finishReason, refusalError, toUsage, type Tokens } from "./toReply.ts"

type Event = Anthropic.RawMessageStreamEvent

interface OpenCall {
  readonly id: string
  readonly name: string
  json: string
}

/** `requestId` is called at the end, when the response headers are known. */
export const eventReader = (
  form: OutputForm,
  requestId: () => string | undefined,
): PartReader<Event> => {
  const calls = new Map<number, OpenCall>()
  /** By index; a proxy may leave some out. */
  const blocks: Array<Anthropic.ContentBlock | undefined> = []
  let called = false
  let tokens: Tokens = {}
  let stopped: Anthropic.StopReason | null = null
  let ended = false
  let answered = false

  const closeBlock = (index: number): ReadonlyArray<ModelPart> | ProviderError => {
    const call = calls.get(index)
    calls.delete(index)
    if (call === undefined) return []
    const given = parseToolArguments(call.json)
    if (given === undefined) {
      return {
        class: "invalid_output",
        message: `the arguments for ${call.name} are not a JSON object`,
        requestId: requestId(),
        usage: { ...toUsage(tokens), estimated: true },
      }
    }
    const signature = called
      ? undefined
      : toSignature(blocks.filter((block) => block !== undefined))
    called = true
    const { id, name } = call
    const made = { id, name, arguments: given, ...(signature === undefined ? {} : { signature }) }
    return [{ type: "tool_call", call: made }]
  }

  const delta = ({ delta: block, index }: Anthropic.RawContentBlockDeltaEvent) => {
    switch (block.type) {
      case "text_delta":
        return [{ type: "text", text: block.text }] as const
      case "thinking_delta": {
        const thought = blocks[index]
        if (thought?.type === "thinking") thought.thinking += block.thinking
        return [{ type: "reasoning", text: block.thinking }] as const
      }
      case "signature_delta": {
        const thought = blocks[index]
        if (thought?.type === "thinking") thought.signature += block.signature
        return []
      }
      case "input_json_delta": {
        const call = calls.get(index)
        if (call === undefined) return []
        if (form.form !== "tool" || call.name !== form.name) {
          call.json += block.partial_json
          return []
        }
        return [{ type: "text", text: block.partial_json }] as const
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
          blocks[event.index] = { ...block }
          if (block.type !== "tool_use") return []
          if (form.form === "tool" && block.name === form.name) answered = true
          calls.set(event.index, { id: block.id, name: block.name, json: "" })
          return []
        }
        case "content_block_delta":
          return delta(event)
        case "content_block_stop":
          if (form.form === "tool" && calls.get(event.index)?.name === form.name) return []
          return closeBlock(event.index)
        case "message_delta":
          stopped = event.delta.stop_reason
          tokens = { ...tokens, ...reportedIn(event.usage) }
          return stopped === "refusal"
            ? refusalError(event.delta.stop_details, requestId(), toUsage(tokens))
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

/** The counts a final event reports; counts it omits keep their earlier value. */
const reportedIn = (usage: Tokens | null | undefined): Tokens =>
  Object.fromEntries(Object.entries(usage ?? {}).filter(([, count]) => typeof count === "number"))
