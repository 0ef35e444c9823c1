/** Converts what a message of Anthropic's API consists of: events, reasons, tokens. */
import type Anthropic from "@anthropic-ai/sdk"
import type { FinishReason, Usage } from "@planloom/plugin/effect"
import { unreadableReply, unknownUsage, type ProviderError } from "@planloom/provider-kit"

type Event = Anthropic.RawMessageStreamEvent

/** A message that is not streamed as its events. A proxy may send other content with status 200. */
export const asEvents = (message: Anthropic.Message): ReadonlyArray<Event> | ProviderError =>
  Array.isArray(message.content)
    ? [
        { type: "message_start", message },
        ...message.content.flatMap((block, index): ReadonlyArray<Event> => [
          { type: "content_block_start", index, content_block: block },
          { type: "content_block_stop", index },
        ]),
        {
          type: "message_delta",
          delta: { stop_reason: message.stop_reason, stop_details: message.stop_details },
          usage: message.usage,
        } as unknown as Anthropic.RawMessageDeltaEvent,
        { type: "message_stop" },
      ]
    : unreadableReply

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

const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_use", "tool_calls"],
  ["pause_turn", "paused"],
])

/** Undefined for a reason that is not known. Proxies may give none. */
export const finishReason = (reason: string | null, called: boolean): FinishReason | undefined => {
  const known = reasons.get(reason ?? "end_turn")
  return called && known !== undefined && known !== "length" ? "tool_calls" : known
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
