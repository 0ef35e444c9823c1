/** Converts what a chat completion consists of: calls, texts, reasons, tokens. */
import { randomUUID } from "node:crypto"
import type OpenAI from "openai"
import type { FinishReason, JsonObject, ToolCall, Usage } from "@planloom/plugin/effect"
import {
  argumentsText,
  toolCallOf,
  unreadableReply,
  unknownUsage,
  type ProviderError,
} from "@planloom/provider-kit"
import { fromApiError } from "./toProviderError.ts"

type Chunk = OpenAI.ChatCompletionChunk

/** The server and the model as the request names them. */
export interface Origin {
  readonly service: string
  readonly model: string
}

/** Reasoning text: llama.cpp and DeepSeek use the first name, OpenRouter, Ollama and newer vLLM the second. */
export interface Reasoned {
  readonly reasoning_content?: string | null
  readonly reasoning?: string | null
  /** OpenRouter's, with signatures. */
  readonly reasoning_details?: ReadonlyArray<JsonObject> | null
}

/** A completion that is not streamed as its only chunk. A proxy may send other content with status 200. */
export const asChunk = (completion: OpenAI.ChatCompletion): Chunk | ProviderError => {
  const { error } = completion as { readonly error?: unknown }
  if (error !== undefined && error !== null) return fromApiError({ error })
  const choice = completion.choices?.[0]
  if (choice?.message === undefined) return unreadableReply
  const { message, ...more } = choice
  const calls = (message.tool_calls ?? []).filter(({ type }) => type !== "custom")
  return {
    ...completion,
    choices: [
      {
        ...more,
        delta: { ...message, tool_calls: calls.map((call, index) => ({ ...call, index })) },
      },
    ],
  } as unknown as Chunk
}

/** The reasoning as the server sent it, for the next turn; undefined without any. */
export const reasoningState = (message: Reasoned): JsonObject | undefined => {
  const { reasoning, reasoning_content: content, reasoning_details: details } = message
  if (Array.isArray(details) && details.length > 0) return { reasoning_details: [...details] }
  if (content) return { reasoning_content: content }
  return typeof reasoning === "string" && reasoning !== "" ? { reasoning } : undefined
}

export const reasoningOf = ({ reasoning, reasoning_content: content }: Reasoned): string =>
  content || (typeof reasoning === "string" ? reasoning : "")

/** The text of a message; some servers return a list of parts. */
export const textIn = (content: unknown): string => {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return ""
  return content
    .map((part: { readonly text?: unknown } | null) =>
      typeof part?.text === "string" ? part.text : "",
    )
    .join("")
}

/** Reads tool calls; adds ids for servers that send none. */
export const toCalls = (
  calls: ReadonlyArray<{
    readonly id?: string
    readonly name: string
    readonly arguments: unknown
  }>,
): ReadonlyArray<ToolCall> =>
  calls.map(({ arguments: given, id, name }) =>
    toolCallOf(
      id === undefined || id === "" ? `call_${randomUUID()}` : id,
      name,
      argumentsText(given ?? undefined),
    ),
  )

export const refusalError = (
  reason: string | undefined,
  explanation: string,
  requestId: string | undefined,
): ProviderError | undefined => {
  if (reason !== "content_filter" && reason !== "sensitive" && explanation === "") return undefined
  const message =
    explanation === ""
      ? "the service's content filter blocked the reply"
      : `the model refused: ${explanation}`
  return { class: "content_filter", message, requestId }
}

/** By the protocol, and by servers with names of their own: Together, Text Generation Inference, Mistral, Zhipu, proxies. */
const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ["stop", "stop"],
  ["end_turn", "stop"],
  ["eos", "stop"],
  ["eos_token", "stop"],
  ["stop_sequence", "stop"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["model_length", "length"],
  ["tool_calls", "tool_calls"],
  ["tool_use", "tool_calls"],
  ["function_call", "tool_calls"],
])

/** Undefined for a reason that is not known. Servers may give none, or `stop` for a reply with tool calls, and the reverse. */
export const finishReason = (
  reason: string | undefined,
  called: boolean,
): FinishReason | undefined => {
  const known = reasons.get(reason ?? "stop")
  return known === undefined || known === "length" ? known : called ? "tool_calls" : "stop"
}

/** Cache usage outside OpenAI's fields: OpenRouter reports tokens written, DeepSeek tokens read. */
interface MoreUsage {
  readonly prompt_cache_hit_tokens?: number
  readonly prompt_tokens_details?: { readonly cache_write_tokens?: number } | null
}

/** Zero input tokens mean that the server does not count: the usage is marked as estimated. */
export const toUsage = (usage: OpenAI.CompletionUsage | null | undefined): Usage => {
  if (usage == null) return unknownUsage
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
