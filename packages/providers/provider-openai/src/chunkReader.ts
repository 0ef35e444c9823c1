/** Converts the chunks of one streamed completion to the contract's parts. */
import type OpenAI from "openai"
import type { JsonObject, ModelPart, Usage } from "@planloom/plugin/effect"
import {
  argumentsText,
  brokenOff,
  parseToolArguments,
  unknownUsage,
  withReplyState,
  type PartReader,
  type ProviderError,
} from "@planloom/provider-kit"
import {
  finishReason,
  reasoningOf,
  refusalError,
  reasoningState,
  textIn,
  toCalls,
  toUsage,
  type Origin,
  type Reasoned,
} from "./completion.ts"
import { fromApiError } from "./toProviderError.ts"

type Chunk = OpenAI.ChatCompletionChunk
type CallDelta = NonNullable<Chunk["choices"][0]["delta"]["tool_calls"]>[0]

interface OpenCall {
  readonly index: number
  readonly id?: string
  name: string
  arguments: string
}

/** State of the response outside its chunks, read after a chunk or at the end. */
export interface ResponseState {
  readonly requestId: () => string | undefined
  /** Whether the server has sent the end mark: some never send a finish reason. */
  readonly ended: () => boolean
  /** The error sent in place of a stream; undefined if a stream came. */
  readonly bodyError: () => ProviderError | undefined
  readonly origin: Origin
  /** The tool whose arguments, as the model wrote them, are the reply's text. */
  readonly answer: string | undefined
}

export const chunkReader = ({
  answer,
  bodyError,
  ended,
  origin,
  requestId,
}: ResponseState): PartReader<Chunk> => {
  const calls: Array<OpenCall> = []
  let usage: Usage = unknownUsage
  let stopped: string | undefined
  /** Of a reply that the service broke off; its tokens come later. */
  let failed: ProviderError | undefined
  let refused = ""
  let whole = ""
  let thought: Reasoned = {}

  /** Adds a delta to its call; returns its text if the call is the answer. */
  const add = ({ function: part, id, index = 0 }: CallDelta): string => {
    const text = argumentsText(part?.arguments ?? undefined)
    const last = calls.findLast((call) => call.index === index)
    if (last === undefined || isAnother(last, id, part?.name)) {
      const name = part?.name ?? ""
      calls.push({ index, ...(id === undefined ? {} : { id }), name, arguments: text })
      return name !== "" && name === answer ? text : ""
    }
    last.name ||= part?.name ?? ""
    last.arguments += text
    return last.name === answer ? text : ""
  }

  return {
    read: (chunk) => {
      if (chunk.usage != null) usage = toUsage(chunk.usage)
      const choice = chunk.choices?.[0]
      if (choice === undefined) return []
      const delta = choice.delta ?? {}
      stopped = choice.finish_reason || stopped
      const { error } = choice as { readonly error?: unknown }
      if (error !== undefined && error !== null) failed = fromApiError({ error })
      refused += delta.refusal ?? ""
      const answered = (delta.tool_calls ?? []).map(add).join("")
      const reasoning = reasoningOf(delta as Reasoned)
      thought = joinedReasoning(thought, delta as Reasoned)
      const parts: Array<ModelPart> = []
      if (reasoning !== "") parts.push({ type: "reasoning", text: reasoning })
      // Text beside a forced answer call is not part of the answer.
      const text = answer === undefined || calls.length === 0 ? textIn(delta.content) : ""
      whole += text
      if (text + answered !== "") parts.push({ type: "text", text: text + answered })
      return parts
    },
    end: () => {
      if (stopped === undefined && !ended()) return bodyError()
      const id = requestId()
      if (failed !== undefined) return { ...failed, requestId: id, usage }
      const error = refusalError(stopped, refused, id)
      if (error !== undefined) return { ...error, usage }
      const called = calls.some(({ name }) => name !== answer)
      const reason = finishReason(stopped, called)
      if (reason === undefined) return { ...brokenOff(stopped!), requestId: id, usage }
      const made = toCalls(calls.filter(({ name }) => name !== answer))
      return [
        ...withReplyState(origin, { text: whole, toolCalls: made }, reasoningState(thought)).map(
          (call): ModelPart => ({ type: "tool_call", call }),
        ),
        {
          type: "finish",
          reason,
          usage,
          ...(id === undefined ? {} : { requestId: id }),
        },
      ]
    },
    usage: () => usage,
    requestId,
  }
}

/** Texts are joined, and of `reasoning_details` those of one index. */
const joinedReasoning = (before: Reasoned, delta: Reasoned): Reasoned => ({
  reasoning:
    (before.reasoning ?? "") + (typeof delta.reasoning === "string" ? delta.reasoning : ""),
  reasoning_content: (before.reasoning_content ?? "") + (delta.reasoning_content ?? ""),
  reasoning_details: (delta.reasoning_details ?? []).reduce(
    joinedDetail,
    before.reasoning_details ?? [],
  ),
})

const joinedTexts = ["text", "summary", "data"] as const

const joinedDetail = (
  details: ReadonlyArray<JsonObject>,
  detail: JsonObject,
): ReadonlyArray<JsonObject> => {
  const last = details.at(-1)
  if (last === undefined || last["index"] !== detail["index"] || last["type"] !== detail["type"]) {
    return [...details, detail]
  }
  const texts = joinedTexts.flatMap((key) => {
    const [first, second] = [last[key], detail[key]]
    return typeof first === "string" && typeof second === "string"
      ? [[key, first + second] as const]
      : []
  })
  return [...details.slice(0, -1), { ...last, ...detail, ...Object.fromEntries(texts) }]
}

/**
 * Whether a delta starts another call. Some servers send every call whole and all of them with index 0: then a new id
 * starts a new call, and without ids, a name after complete arguments does.
 */
const isAnother = (last: OpenCall, id: string | undefined, name: string | undefined): boolean => {
  const named = id !== undefined && id !== ""
  if (named && last.id !== undefined && last.id !== "") return id !== last.id
  return !named && name !== undefined && name !== "" && isComplete(last.arguments)
}

const isComplete = (text: string): boolean =>
  text.trim() !== "" && parseToolArguments(text) !== undefined
