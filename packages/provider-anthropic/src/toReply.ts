/** Converts a message of Anthropic's API to the contract's reply or a provider error. */
import type Anthropic from "@anthropic-ai/sdk"
import type { FinishReason, JsonObject, ModelReply, Usage } from "@planloom/plugin/effect"
import { unreadableReply, unknownUsage, type ProviderError } from "@planloom/provider-kit"
import type { OutputForm } from "./outputForms.ts"
import { signedCalls } from "./replyBlocks.ts"

export const toReply = (
  message: Anthropic.Message,
  /** As the request names it: a service may answer with a more precise name. */
  model: string,
  form: OutputForm,
  requestId: string | undefined,
): Omit<ModelReply, "model"> | ProviderError => {
  // A proxy may send other content with status 200.
  if (!Array.isArray(message.content)) return { ...unreadableReply, requestId }
  if (message.stop_reason === "refusal") {
    return refusalError(message.stop_details, requestId, toUsage(message.usage))
  }
  const calls = message.content.filter((block) => block.type === "tool_use")
  const answered = form.form === "tool" ? calls.find(({ name }) => name === form.name) : undefined
  const text =
    answered === undefined
      ? message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("")
      : JSON.stringify(answered.input)
  const toolCalls = calls
    .filter((block) => block !== answered)
    .map(({ id, input, name }) => ({ id, name, arguments: (input ?? {}) as JsonObject }))
  return {
    text,
    reasoning: message.content
      .flatMap((block) => (block.type === "thinking" ? [block.thinking] : []))
      .join(""),
    toolCalls: signedCalls({ model }, { text, toolCalls }, message.content),
    finish: answered === undefined ? finishReason(message.stop_reason) : "stop",
    usage: toUsage(message.usage),
    ...(requestId === undefined ? {} : { requestId }),
  }
}

export const refusalError = (
  details: Anthropic.RefusalStopDetails | null | undefined,
  requestId: string | undefined,
  usage: Usage,
): ProviderError => ({
  class: "content_filter",
  message: `the model refused${details?.explanation ? `: ${details.explanation}` : ""}`,
  requestId,
  usage,
})

export const finishReason = (reason: Anthropic.StopReason | null): FinishReason => {
  switch (reason) {
    case "end_turn":
    case "stop_sequence":
      return "stop"
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length"
    case "tool_use":
      return "tool_calls"
    default:
      return "other"
  }
}

/** Token counts as the service reports them; proxies may omit them. */
export interface Tokens {
  readonly input_tokens?: number | null
  readonly output_tokens?: number | null
  readonly cache_read_input_tokens?: number | null
  readonly cache_creation_input_tokens?: number | null
}

/** Converts token counts. The service counts cache reads and writes beside the input, the contract within it. */
export const toUsage = (usage: Tokens | null | undefined): Usage => {
  if (usage == null) return unknownUsage
  const cached = usage.cache_read_input_tokens ?? 0
  const written = usage.cache_creation_input_tokens ?? 0
  return {
    input: (usage.input_tokens ?? 0) + cached + written,
    output: usage.output_tokens ?? 0,
    ...(cached === 0 ? {} : { cached }),
    ...(written === 0 ? {} : { written }),
    ...(usage.input_tokens == null || usage.output_tokens == null ? { estimated: true } : {}),
  }
}
