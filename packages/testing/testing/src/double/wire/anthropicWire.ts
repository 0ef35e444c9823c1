/** Anthropic's Messages API. */
import type { JsonObject } from "@planloom/plugin/effect"
import {
  callsOf,
  refuses,
  retryHeaders,
  textsOf,
  thirds,
  usageOf,
  type WireAnswer,
} from "./WireAnswer.ts"
import { data, turnOf, type WireBody, type WireFormat } from "./WireFormat.ts"

const types: { readonly [status: number]: string } = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  504: "timeout_error",
  529: "overloaded_error",
}

export const anthropicWire: WireFormat = {
  headers: { "request-id": "req_wire" },
  malformed: 'event: content_block_delta\ndata: {"type": [{',
  error: ({ contextLength, message, retryAfter, status }) => ({
    headers: retryHeaders(retryAfter),
    body: {
      type: "error",
      error: {
        type: types[status] ?? "api_error",
        message: contextLength ? "prompt is too long: 210000 tokens > 200000 maximum" : message,
      },
      request_id: "req_wire",
    },
  }),
  whole: (answer, request) => ({
    ...started(request.model, answer),
    content: blocksOf(answer, request).map(({ whole }) => whole),
    stop_reason: stopReason(answer),
    ...(isRefused(answer) ? { stop_details: refusal } : {}),
    usage: usage(answer),
    ...(answer.fault === "unknown_fields" ? { mood: "sunny" } : {}),
  }),
  events: (answer, request) => [
    event("message_start", {
      message: {
        ...started(request.model, answer),
        content: [],
        stop_reason: null,
        usage: { ...usage(answer), output_tokens: 1 },
      },
    }),
    event("ping", {}),
    ...(answer.fault === "unknown_fields" ? [event("weather", { sunny: true })] : []),
    ...blocksOf(answer, request).flatMap(({ deltas, start }, index) => [
      event("content_block_start", { index, content_block: start }),
      ...deltas.map((delta) => event("content_block_delta", { index, delta })),
      event("content_block_stop", { index }),
    ]),
    event("message_delta", {
      delta: {
        stop_reason: stopReason(answer),
        stop_sequence: null,
        ...(isRefused(answer) ? { stop_details: refusal } : {}),
      },
      usage: { output_tokens: usageOf(answer).output },
    }),
    event("message_stop", {}),
  ],
}

const event = (type: string, more: object): string => `event: ${type}\n${data({ type, ...more })}`

const started = (model: string, { fault }: WireAnswer): JsonObject => ({
  id: "msg_wire",
  type: "message",
  role: "assistant",
  model,
  stop_sequence: null,
  ...(fault === "unknown_fields" ? { weather: { sunny: true } } : {}),
})

const isRefused = (answer: WireAnswer) => refuses(answer) || answer.fault === "blocked"

const refusal = { type: "refusal", category: "cyber", explanation: "That is refused." }

const stopReason = (answer: WireAnswer): string => {
  if (answer.reason !== undefined) return answer.reason
  if (isRefused(answer)) return "refusal"
  if (answer.cut === true) return "max_tokens"
  return callsOf(answer).length > 0 ? "tool_use" : "end_turn"
}

const usage = (answer: WireAnswer): JsonObject => {
  const { input, output } = usageOf(answer)
  const cached = answer.cached ?? 0
  return {
    input_tokens: input - cached,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: output,
  }
}

interface Block {
  readonly whole: JsonObject
  readonly start: JsonObject
  readonly deltas: ReadonlyArray<JsonObject>
}

const blocksOf = (answer: WireAnswer, request: WireBody): ReadonlyArray<Block> => {
  const { reasoning } = answer
  const texts = textsOf(answer)
  const thought: ReadonlyArray<Block> =
    reasoning === undefined
      ? []
      : [
          {
            whole: { type: "thinking", thinking: reasoning, signature: "c2ln" },
            start: { type: "thinking", thinking: "", signature: "" },
            deltas: [
              ...thirds(reasoning).map((thinking) => ({ type: "thinking_delta", thinking })),
              { type: "signature_delta", signature: "c2ln" },
            ],
          },
        ]
  const unknown: ReadonlyArray<Block> =
    answer.fault === "unknown_fields"
      ? [
          {
            whole: { type: "song", notes: "la" },
            start: { type: "song", notes: "" },
            deltas: [{ type: "song_delta", notes: "la" }],
          },
        ]
      : []
  const said: ReadonlyArray<Block> =
    texts.length === 0
      ? []
      : [
          {
            whole: { type: "text", text: texts.join(""), citations: null },
            start: { type: "text", text: "" },
            deltas: texts.map((text) => ({ type: "text_delta", text })),
          },
        ]
  const calls = callsOf(answer).map(({ name, text, value }, index): Block => {
    const call = { type: "tool_use", id: `toolu_${turnOf(request)}${index}`, name }
    // No input comes as no delta at all, as the service does it.
    const pieces = text === "{}" ? [] : thirds(text)
    return {
      whole: { ...call, ...(value === undefined ? {} : { input: value }) },
      start: { ...call, input: {} },
      deltas: pieces.map((partial_json) => ({ type: "input_json_delta", partial_json })),
    }
  })
  return [...thought, ...unknown, ...said, ...calls]
}
