/** Converts the events of one streamed reply to the contract's parts. */
import type Anthropic from "@anthropic-ai/sdk"
import type { JsonObject, ModelPart } from "@planloom/plugin/effect"
import { parseToolArguments, type PartReader, type ProviderError } from "@planloom/provider-kit"
import type { OutputForm } from "./outputForms.ts"
import { signedCalls } from "./replyBlocks.ts"
import { finishReason, refusalError, toUsage, type Tokens } from "./toReply.ts"

type Event = Anthropic.RawMessageStreamEvent

/** `requestId` is called at the end, when the response headers are known. */
export const eventReader = (
  /** As the request names it. */
  model: string,
  form: OutputForm,
  requestId: () => string | undefined,
): PartReader<Event> => {
  /** Arguments of tool calls by the index of their block, as far as they have arrived. */
  const inputs = new Map<number, string>()
  /** By index; a proxy may leave some out. */
  const blocks: Array<Anthropic.ContentBlock | undefined> = []
  let text = ""
  let tokens: Tokens = {}
  let stopped: Anthropic.StopReason | null = null
  let ended = false

  const isAnswer = (name: string): boolean => form.form === "tool" && name === form.name

  const closeBlock = (index: number): ProviderError | undefined => {
    const block = blocks[index]
    if (block?.type !== "tool_use" || isAnswer(block.name)) return undefined
    const given = parseToolArguments(inputs.get(index) ?? "")
    if (given !== undefined) {
      block.input = given
      return undefined
    }
    return {
      class: "invalid_output",
      message: `the arguments for ${block.name} are not a JSON object`,
      requestId: requestId(),
      usage: { ...toUsage(tokens), estimated: true },
    }
  }

  const delta = ({
    delta: part,
    index,
  }: Anthropic.RawContentBlockDeltaEvent): ReadonlyArray<ModelPart> => {
    const block = blocks[index]
    switch (part.type) {
      case "text_delta":
        if (block?.type === "text") block.text += part.text
        text += part.text
        return [{ type: "text", text: part.text }]
      case "citations_delta":
        if (block?.type === "text") block.citations = [...(block.citations ?? []), part.citation]
        return []
      case "thinking_delta":
        if (block?.type === "thinking") block.thinking += part.thinking
        return [{ type: "reasoning", text: part.thinking }]
      case "signature_delta":
        if (block?.type === "thinking") block.signature += part.signature
        return []
      case "input_json_delta":
        if (block?.type !== "tool_use") return []
        if (isAnswer(block.name)) return [{ type: "text", text: part.partial_json }]
        inputs.set(index, (inputs.get(index) ?? "") + part.partial_json)
        return []
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
        case "content_block_start":
          blocks[event.index] = { ...event.content_block }
          return []
        case "content_block_delta":
          return delta(event)
        case "content_block_stop":
          return closeBlock(event.index) ?? []
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
      const whole = blocks.filter((block) => block !== undefined)
      const called = whole.filter((block) => block.type === "tool_use")
      const toolCalls = called
        .filter(({ name }) => !isAnswer(name))
        .map((one) => ({ id: one.id, name: one.name, arguments: one.input as JsonObject }))
      return [
        ...signedCalls({ model }, { text, toolCalls }, whole).map((call): ModelPart => ({
          type: "tool_call",
          call,
        })),
        {
          type: "finish",
          reason: toolCalls.length < called.length ? "stop" : finishReason(stopped),
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
