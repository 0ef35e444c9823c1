/** OpenAI's chat completions, as OpenAI and the servers that speak its protocol send them. */
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
  403: "permission_error",
  429: "rate_limit_exceeded",
  500: "server_error",
}

export const openaiWire: WireFormat = {
  headers: { "x-request-id": "req_wire" },
  malformed: 'data: {"choices": [{',
  error: ({ contextLength, message, retryAfter, status }) => ({
    headers: retryHeaders(retryAfter),
    body: {
      error: {
        message: contextLength
          ? "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens."
          : message,
        type: types[status] ?? "server_error",
        param: null,
        code: contextLength ? "context_length_exceeded" : null,
      },
    },
  }),
  whole: (answer, request) => ({
    ...base(request.model, answer, "chat.completion"),
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: refuses(answer) ? null : textsOf(answer).join("") || null,
          refusal: refuses(answer) ? "That is refused." : null,
          ...(answer.reasoning === undefined ? {} : { reasoning_content: answer.reasoning }),
          ...(callsOf(answer).length === 0 ? {} : { tool_calls: calls(answer, request) }),
          ...(answer.fault === "unknown_fields" ? { weather: { sunny: true } } : {}),
        },
        logprobs: null,
        finish_reason: finishReason(answer),
        ...answer.beside,
      },
    ],
    usage: usage(answer),
  }),
  events: (answer, request) => {
    const { body, model } = request
    const chunk = (delta: JsonObject, finish: string | null = null, beside: JsonObject = {}) =>
      data({
        ...base(model, answer, "chat.completion.chunk"),
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish, ...beside }],
      })
    const options = body["stream_options"] as { readonly include_usage?: boolean } | undefined
    return [
      // A comment, as OpenRouter sends them before a model starts.
      ": OPENROUTER PROCESSING",
      chunk({ role: "assistant", content: "" }),
      ...(answer.fault === "unknown_fields" ? [chunk({ weather: { sunny: true } })] : []),
      ...thirds(answer.reasoning ?? "")
        .filter((text) => text !== "")
        .map((reasoning_content) => chunk({ reasoning_content })),
      ...(refuses(answer)
        ? [chunk({ refusal: "That is refused." })]
        : textsOf(answer).map((content) => chunk({ content }))),
      ...callDeltas(answer, request).map((call) => chunk({ tool_calls: [call] })),
      chunk({}, finishReason(answer), answer.beside),
      ...(options?.include_usage === true
        ? [
            data({
              ...base(model, answer, "chat.completion.chunk"),
              choices: [],
              usage: usage(answer),
            }),
          ]
        : []),
      "data: [DONE]",
    ]
  },
}

const base = (model: string, { fault }: WireAnswer, object: string): JsonObject => ({
  id: "chatcmpl_wire",
  object,
  created: 1_700_000_000,
  model,
  ...(fault === "unknown_fields" ? { mood: "sunny" } : {}),
})

const finishReason = (answer: WireAnswer): string => {
  if (answer.reason !== undefined) return answer.reason
  if (answer.fault === "blocked") return "content_filter"
  if (answer.cut === true) return "length"
  return callsOf(answer).length > 0 ? "tool_calls" : "stop"
}

const usage = (answer: WireAnswer): JsonObject => {
  const { input, output } = usageOf(answer)
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: answer.cached ?? 0 },
  }
}

const calls = (answer: WireAnswer, request: WireBody): ReadonlyArray<JsonObject> =>
  callsOf(answer).map(({ name, text }, index) => ({
    id: `call_${turnOf(request)}${index}`,
    type: "function",
    function: { name, arguments: text },
  }))

/** The name first, then the arguments in pieces; calls come one after the other. */
const callDeltas = (answer: WireAnswer, request: WireBody): ReadonlyArray<JsonObject> =>
  callsOf(answer).flatMap(({ name, text: args }, index) => [
    {
      index,
      id: `call_${turnOf(request)}${index}`,
      type: "function",
      function: { name, arguments: "" },
    },
    ...thirds(args).map((text) => ({ index, function: { arguments: text } })),
  ])
