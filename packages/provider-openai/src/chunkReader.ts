/** The chunks of one streamed completion → the contract's parts. */
import type OpenAI from "openai"
import type { ModelPart, Usage } from "@planloom/plugin"
import {
  isTrouble,
  toolArguments,
  untold,
  type PartReader,
  type Trouble,
} from "@planloom/provider-kit"
import {
  argumentsText,
  finishReason,
  reasoningOf,
  refusal,
  textIn,
  toCalls,
  toUsage,
  type Reasoned,
} from "./toReply.ts"

type Chunk = OpenAI.ChatCompletionChunk
type CallDelta = NonNullable<Chunk["choices"][0]["delta"]["tool_calls"]>[0]

interface OpenCall {
  readonly index: number
  readonly id?: string
  name: string
  arguments: string
}

/** What is known beside the chunks. Asked for when something was heard, or at the end. */
export interface Heard {
  readonly requestId: () => string | undefined
  /** Whether the server has said that the stream has ended: some never give a reason. */
  readonly ended: () => boolean
  /** What came in place of a stream; undefined where one came. */
  readonly instead: () => Trouble | undefined
  /** The tool whose arguments are the reply's text, as the model wrote them. */
  readonly answer: string | undefined
}

export const chunkReader = ({ answer, ended, instead, requestId }: Heard): PartReader<Chunk> => {
  const calls: Array<OpenCall> = []
  let usage: Usage = untold
  let stopped: string | undefined
  let refused = ""

  /** The text that a piece of a call is, where the call is the answer. */
  const add = ({ function: part, id, index = 0 }: CallDelta): string => {
    const text = argumentsText(part?.arguments)
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
      refused += delta.refusal ?? ""
      const answered = (delta.tool_calls ?? []).map(add).join("")
      const reasoning = reasoningOf(delta as Reasoned)
      const parts: Array<ModelPart> = []
      if (reasoning !== "") parts.push({ type: "reasoning", text: reasoning })
      // What it says beside the answer it was made to give is no part of it.
      const text = answer === undefined || calls.length === 0 ? textIn(delta.content) : ""
      if (text + answered !== "") parts.push({ type: "text", text: text + answered })
      return parts
    },
    end: () => {
      if (stopped === undefined && !ended()) return instead()
      const id = requestId()
      const trouble = refusal(stopped ?? null, refused, id)
      if (trouble !== undefined) return { ...trouble, usage }
      const made = toCalls(calls.filter(({ name }) => name !== answer))
      if (isTrouble(made)) return { ...made, requestId: id, usage }
      return [
        ...made.map((call) => ({ type: "tool_call", call }) as const),
        {
          type: "finish",
          reason: finishReason(stopped ?? null, made.length > 0, made.length < calls.length),
          usage,
          ...(id === undefined ? {} : { requestId: id }),
        },
      ]
    },
    usage: () => usage,
    requestId,
  }
}

/**
 * Some servers send every call whole and all of them with index 0: then a new id is a new call, and where they
 * give no ids, a name after arguments that are whole is.
 */
const isAnother = (last: OpenCall, id: string | undefined, name: string | undefined): boolean => {
  const named = id !== undefined && id !== ""
  if (named && last.id !== undefined && last.id !== "") return id !== last.id
  return !named && name !== undefined && name !== "" && isWhole(last.arguments)
}

const isWhole = (text: string): boolean => text.trim() !== "" && toolArguments(text) !== undefined
