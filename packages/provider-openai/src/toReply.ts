/** What a chat completion says → the contract's reply, and what it refuses. */
import { randomUUID } from "node:crypto"
import type OpenAI from "openai"
import type { FinishReason, ModelReply, ToolCall, Usage } from "@planloom/plugin"
import { isTrouble, toolArguments, unreadable, untold, type Trouble } from "@planloom/provider-kit"
import { troubleOf } from "./toTrouble.ts"

/** Under either name: llama.cpp and DeepSeek use the first, OpenRouter, Ollama and newer vLLM the second. */
export interface Reasoned {
  readonly reasoning_content?: string | null
  readonly reasoning?: string | null
}

export const toReply = (
  completion: OpenAI.ChatCompletion,
  requestId: string | undefined,
  /** The tool whose arguments are the reply's text, as the model wrote them. */
  answer?: string,
): Omit<ModelReply, "model"> | Trouble => {
  const { error } = completion as { readonly error?: unknown }
  if (error !== undefined && error !== null)
    return troubleOf({ error, requestID: requestId ?? null })
  const choice = completion.choices?.[0]
  if (choice?.message === undefined) return { ...unreadable, requestId }
  const { message } = choice
  const refused = refusal(choice.finish_reason, message.refusal ?? "", requestId)
  if (refused !== undefined) return { ...refused, usage: toUsage(completion.usage) }
  const made = (message.tool_calls ?? []).flatMap((call) =>
    call.type === "custom" ? [] : [{ id: call.id, ...call.function }],
  )
  const answered = made.find(({ name }) => name === answer)
  const toolCalls = toCalls(made.filter((call) => call !== answered))
  if (isTrouble(toolCalls)) return { ...toolCalls, requestId, usage: toUsage(completion.usage) }
  return {
    text: answered === undefined ? textIn(message.content) : argumentsText(answered.arguments),
    reasoning: reasoningOf(message as Reasoned),
    toolCalls,
    finish: finishReason(choice.finish_reason, toolCalls.length > 0, answered !== undefined),
    usage: toUsage(completion.usage),
    ...(requestId === undefined ? {} : { requestId }),
  }
}

export const reasoningOf = ({ reasoning, reasoning_content: content }: Reasoned): string =>
  content || (typeof reasoning === "string" ? reasoning : "")

/** Some servers answer in a list of parts, as requests may be made. */
export const textIn = (content: unknown): string => {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return ""
  return content
    .map((part: { readonly text?: unknown } | null) =>
      typeof part?.text === "string" ? part.text : "",
    )
    .join("")
}

/** Text, where some servers give the object itself. */
export const argumentsText = (given: unknown): string =>
  typeof given === "string" ? given : given == null ? "" : JSON.stringify(given)

/** A call whose arguments are no JSON is the model's mistake. Some servers give calls no id. */
export const toCalls = (
  calls: ReadonlyArray<{
    readonly id?: string
    readonly name: string
    readonly arguments: unknown
  }>,
): ReadonlyArray<ToolCall> | Trouble => {
  const made: Array<ToolCall> = []
  for (const { arguments: text, id, name } of calls) {
    const given = toolArguments(argumentsText(text))
    if (given === undefined) {
      return { class: "invalid_output", message: `the arguments for ${name} are no JSON object` }
    }
    made.push({
      id: id === undefined || id === "" ? `call_${randomUUID()}` : id,
      name,
      arguments: given,
    })
  }
  return made
}

export const refusal = (
  reason: string | null,
  said: string,
  requestId: string | undefined,
): Trouble | undefined => {
  if (reason !== "content_filter" && said === "") return undefined
  const what =
    said === "" ? "the service's filter held the reply back" : `the model refused: ${said}`
  return { class: "content_filter", message: what, requestId }
}

/** Some servers say `stop` where the model calls tools. */
export const finishReason = (
  reason: string | null,
  called: boolean,
  answered: boolean,
): FinishReason => {
  if (answered && !called && reason !== "length") return "stop"
  switch (reason) {
    case "stop":
      return called ? "tool_calls" : "stop"
    case "length":
      return "length"
    case "tool_calls":
    case "function_call":
      return "tool_calls"
    default:
      return called ? "tool_calls" : "other"
  }
}

/** What is written into a cache is told by OpenRouter, what is read from one by DeepSeek in its own field. */
interface MoreUsage {
  readonly prompt_cache_hit_tokens?: number
  readonly prompt_tokens_details?: { readonly cache_write_tokens?: number } | null
}

/** Zeros are no count: no reply is made of nothing. */
export const toUsage = (usage: OpenAI.CompletionUsage | null | undefined): Usage => {
  if (usage == null) return untold
  const { prompt_cache_hit_tokens: hit, prompt_tokens_details: more } = usage as MoreUsage
  const cached = usage.prompt_tokens_details?.cached_tokens ?? hit ?? 0
  const written = more?.cache_write_tokens ?? 0
  const input = usage.prompt_tokens ?? 0
  return {
    input,
    output: usage.completion_tokens ?? 0,
    ...(cached === 0 ? {} : { cached }),
    ...(written === 0 ? {} : { written }),
    ...(input === 0 || usage.completion_tokens == null ? { estimated: true } : {}),
  }
}
