/** Converts the events of one response to the contract's parts. A reply that is not streamed is its last event. */
import type OpenAI from "openai"
import type { Json, ModelPart, ToolCall, Usage } from "@planloom/plugin/effect"
import {
  brokenOff,
  unknownUsage,
  unreadableReply,
  withReplyState,
  type PartReader,
  type ProviderError,
} from "@planloom/provider-kit"
import { fromApiError } from "../toProviderError.ts"
import { refusalError, toCalls, type Origin } from "../completion.ts"

type Event = OpenAI.Responses.ResponseStreamEvent
type Response = OpenAI.Responses.Response
type Item = OpenAI.Responses.ResponseOutputItem

export interface ResponseContext {
  readonly origin: Origin
  readonly requestId: () => string | undefined
  /** The error sent in place of a stream; undefined if a stream came. */
  readonly bodyError: () => ProviderError | undefined
  /** The tool whose arguments, as the model wrote them, are the reply's text. */
  readonly answer: string | undefined
}

export const responseReader = ({
  answer,
  bodyError,
  origin,
  requestId,
}: ResponseContext): PartReader<Event> => {
  const items: Array<Item> = []
  /** What has been given of the reply: a whole response has had no deltas. */
  let text = ""
  let reasoning = ""
  let usage: Usage = unknownUsage
  let last: Response | undefined
  /** The final status of the response, which may lack it itself. */
  let status: string | undefined

  const textPart = (delta: string): ReadonlyArray<ModelPart> => {
    text += delta
    return delta === "" ? [] : [{ type: "text", text: delta }]
  }

  const reasoningPart = (delta: string): ReadonlyArray<ModelPart> => {
    reasoning += delta
    return delta === "" ? [] : [{ type: "reasoning", text: delta }]
  }

  const finished = (response: Response): ReadonlyArray<ModelPart> | ProviderError => {
    last = response
    if (response.usage != null) usage = toUsage(response.usage)
    if (response.error != null) {
      return { ...fromApiError({ error: response.error }), requestId: requestId(), usage }
    }
    // Some servers repeat the items only in their events.
    if (items.length === 0) items.push(...(response.output ?? []))
    return [
      ...(reasoning === "" ? reasoningPart(items.map(reasoningIn).join("")) : []),
      ...(text === "" ? textPart(items.map((item) => textIn(item, answer)).join("")) : []),
    ]
  }

  return {
    read: (event) => {
      switch (event.type) {
        case "response.output_text.delta":
          return textPart(event.delta)
        case "response.reasoning_summary_text.delta":
        case "response.reasoning_text.delta":
          return reasoningPart(event.delta)
        case "response.output_item.done":
          items.push(event.item)
          return []
        case "response.completed":
        case "response.incomplete":
        case "response.failed":
          status =
            event.type === "response.completed"
              ? (event.response.status ?? "completed")
              : event.type.slice("response.".length)
          return finished(event.response)
        case "error":
          return { ...fromApiError({ error: event }), requestId: requestId(), usage }
        default:
          return []
      }
    },
    end: () => {
      if (last === undefined) return bodyError()
      const id = requestId()
      const stopped = last.incomplete_details?.reason
      const refused = refusalError(stopped, items.map(refusalIn).join(""), id)
      if (refused !== undefined) return { ...refused, usage }
      const calls = items.filter((item) => item.type === "function_call")
      const finish = finishReason(status!, stopped)
      if (finish === undefined) return { ...brokenOff(stopped ?? status!), requestId: id, usage }
      const made = toCalls(
        calls
          .filter(({ name }) => name !== answer)
          .map((call) => ({ id: call.call_id, name: call.name, arguments: call.arguments })),
      )
      return [
        ...signed(origin, text, made, items).map((call): ModelPart => ({
          type: "tool_call",
          call,
        })),
        {
          type: "finish",
          reason: finish === "stop" && made.length > 0 ? "tool_calls" : finish,
          usage,
          ...(id === undefined ? {} : { requestId: id }),
        },
      ]
    },
    usage: () => usage,
    requestId,
  }
}

/** A reply in one piece as its last event. A proxy may send other content with status 200. */
export const asLastEvent = (response: Response): Event | ProviderError =>
  Array.isArray(response.output) || response.error != null
    ? ({ type: "response.completed", response, sequence_number: 0 } as const)
    : unreadableReply

/** Reasoning and annotations are lost in text and calls alone. */
const signed = (
  origin: Origin,
  text: string,
  toolCalls: ReadonlyArray<ToolCall>,
  items: ReadonlyArray<Item>,
): ReadonlyArray<ToolCall> => {
  const isPlain = items.every(
    (item) =>
      item.type === "function_call" ||
      (item.type === "message" &&
        item.content.every(
          (part) => part.type !== "output_text" || (part.annotations ?? []).length === 0,
        )),
  )
  const state = isPlain ? undefined : (items as unknown as Json)
  return withReplyState(origin, { text, toolCalls }, state)
}

const textIn = (item: Item, answer: string | undefined): string => {
  if (item.type === "function_call") return item.name === answer ? item.arguments : ""
  return item.type === "message"
    ? item.content.map((part) => (part.type === "output_text" ? part.text : "")).join("")
    : ""
}

const refusalIn = (item: Item): string =>
  item.type === "message"
    ? item.content.map((part) => (part.type === "refusal" ? part.refusal : "")).join("")
    : ""

const reasoningIn = (item: Item): string =>
  item.type === "reasoning"
    ? [...(item.summary ?? []), ...(item.content ?? [])].map(({ text }) => text).join("\n\n")
    : ""

const finishReason = (
  status: string,
  incomplete: string | undefined,
): "stop" | "length" | undefined => {
  if (incomplete === "max_output_tokens") return "length"
  return incomplete === undefined && status === "completed" ? "stop" : undefined
}

const toUsage = ({
  input_tokens: input,
  input_tokens_details: details,
  output_tokens: output,
}: OpenAI.Responses.ResponseUsage): Usage => {
  const { cache_write_tokens: written = 0, cached_tokens: cached = 0 } = details ?? {}
  return {
    input,
    output,
    ...(cached === 0 ? {} : { cached }),
    ...(written === 0 ? {} : { written }),
  }
}
