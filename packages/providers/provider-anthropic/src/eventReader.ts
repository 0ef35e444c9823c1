/** Converts the events of one turn to the contract's parts: of a streamed reply, or of one that came whole. */
import type Anthropic from "@anthropic-ai/sdk"
import type { ModelPart, ToolCall, Usage } from "@planloom/plugin/effect"
import { sumUsage } from "@planloom/plugin/facts"
import {
  argumentsText,
  brokenOff,
  parseToolArguments,
  toolCallOf,
  type TurnReader,
} from "@planloom/provider-kit"
import { finishReason, refusalError, toUsage, type Tokens } from "./asEvents.ts"
import type { OutputForm } from "./outputForms.ts"
import { signedCalls, withoutEmptyTexts } from "./replyBlocks.ts"

type Event = Anthropic.RawMessageStreamEvent
type Block = Anthropic.ContentBlock

/** `requestId` is called at the end, when the response headers are known. */
export const eventReader = (
  /** As the request names it. */
  model: string,
  form: OutputForm,
  requestId: () => string | undefined,
): TurnReader<Event, ReadonlyArray<Block>> => {
  /** Arguments of tool calls by the index of their block, as far as they have arrived. */
  const inputs = new Map<number, string>()
  /** By index, after those of earlier messages of the turn; a proxy may leave some out. */
  const blocks: Array<Block | undefined> = []
  let first = 0
  let text = ""
  /** Of the earlier messages of the turn. */
  let spent: Usage = { input: 0, output: 0 }
  let tokens: Tokens = {}
  let stopped: Anthropic.StopReason | null = null
  let ended = false

  const usage = () => sumUsage(spent, toUsage(tokens))

  const isAnswer = (name: string): boolean => form.form === "tool" && name === form.name

  const textPart = (more: string): ReadonlyArray<ModelPart> => {
    text += more
    return more === "" ? [] : [{ type: "text", text: more }]
  }

  /** The service begins with an empty block, other servers and whole messages with the whole block. */
  const openBlock = (index: number, block: Block): ReadonlyArray<ModelPart> => {
    blocks[index] = { ...block }
    switch (block.type) {
      case "text":
        return textPart(block.text)
      case "thinking":
        return block.thinking === "" ? [] : [{ type: "reasoning", text: block.thinking }]
      default:
        return []
    }
  }

  const closeBlock = (index: number): ReadonlyArray<ModelPart> => {
    const block = blocks[index]
    const written = inputs.get(index)
    if (block?.type === "server_tool_use" && written !== undefined) {
      block.input = parseToolArguments(written) ?? block.input
    }
    return block?.type === "tool_use" && isAnswer(block.name) && written === undefined
      ? textPart(argumentsText(block.input))
      : []
  }

  const delta = (index: number, part: Anthropic.RawContentBlockDelta): ReadonlyArray<ModelPart> => {
    const block = blocks[index]
    switch (part.type) {
      case "text_delta":
        if (block?.type === "text") block.text += part.text
        return textPart(part.text)
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
        if (block?.type !== "tool_use" && block?.type !== "server_tool_use") return []
        inputs.set(index, (inputs.get(index) ?? "") + part.partial_json)
        return block.type === "tool_use" && isAnswer(block.name) ? textPart(part.partial_json) : []
      default:
        return []
    }
  }

  const whole = () => blocks.filter((block) => block !== undefined)

  return {
    read: (event) => {
      switch (event.type) {
        case "message_start":
          tokens = event.message.usage ?? {}
          return []
        case "content_block_start":
          return openBlock(first + event.index, event.content_block)
        case "content_block_delta":
          return delta(first + event.index, event.delta)
        case "content_block_stop":
          return closeBlock(first + event.index)
        case "message_delta":
          stopped = event.delta.stop_reason
          tokens = { ...tokens, ...reportedIn(event.usage) }
          return stopped === "refusal"
            ? refusalError(event.delta.stop_details, requestId(), usage())
            : []
        case "message_stop":
          ended = true
          return []
        default:
          return []
      }
    },
    paused: () => {
      if (!ended || stopped !== "pause_turn") return undefined
      const given = withoutEmptyTexts(whole())
      return given.length === 0 || given.some(({ type }) => type === "tool_use") ? undefined : given
    },
    resume: () => {
      spent = usage()
      tokens = {}
      first = blocks.length
      stopped = null
      ended = false
    },
    end: () => {
      if (!ended) return undefined
      const id = requestId()
      const toolCalls: Array<ToolCall> = []
      let isAnswered = false
      for (const [index, block] of blocks.entries()) {
        if (block?.type !== "tool_use") continue
        if (isAnswer(block.name)) {
          isAnswered = true
          continue
        }
        const call = toolCallOf(
          block.id,
          block.name,
          inputs.get(index) ?? argumentsText(block.input),
        )
        block.input = call.arguments
        toolCalls.push(call)
      }
      const reason = isAnswered ? "stop" : finishReason(stopped, toolCalls.length > 0)
      if (reason === undefined) return { ...brokenOff(stopped!), requestId: id, usage: usage() }
      return [
        ...signedCalls({ model }, { text, toolCalls }, whole()).map((call): ModelPart => ({
          type: "tool_call",
          call,
        })),
        {
          type: "finish",
          reason,
          usage: usage(),
          ...(id === undefined ? {} : { requestId: id }),
        },
      ]
    },
    usage,
    requestId,
  }
}

/** The input of a block that came whole. */
/** The counts a final event reports; counts it omits keep their earlier value. */
const reportedIn = (usage: Tokens | null | undefined): Tokens =>
  Object.fromEntries(Object.entries(usage ?? {}).filter(([, count]) => typeof count === "number"))
