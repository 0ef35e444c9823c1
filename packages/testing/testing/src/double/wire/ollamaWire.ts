/** Ollama's own API, after `ChatResponse` in its api/types.go and `ChatHandler` in its server/routes.go. */
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
import { turnOf, type WireBody, type WireFormat } from "./WireFormat.ts"

export const ollamaWire: WireFormat = {
  // Of a gateway before it: the server itself sends no ids and does not ask to wait.
  headers: { "x-request-id": "req_wire" },
  streamType: "application/x-ndjson",
  malformed: '{"model": "small", "message": {',
  error: ({ contextLength, message, retryAfter }) => ({
    headers: retryHeaders(retryAfter),
    body: {
      error: contextLength
        ? "request (9301 tokens) exceeds the available context size (8192 tokens), try increasing it"
        : message,
    },
  }),
  whole: (answer, request) => ({
    ...line(answer, request, {
      content: contentOf(answer).join(""),
      ...(answer.reasoning === undefined ? {} : { thinking: answer.reasoning }),
      ...callsIn(answer, request),
    }),
    ...ending(answer),
  }),
  events: (answer, request) =>
    [
      ...thirds(answer.reasoning ?? "")
        .filter((text) => text !== "")
        .map((thinking) => line(answer, request, { content: "", thinking })),
      ...contentOf(answer).map((content) => line(answer, request, { content })),
      ...(callsOf(answer).length === 0
        ? []
        : [line(answer, request, { content: "", ...callsIn(answer, request) })]),
      { ...line(answer, request, { content: "" }), ...ending(answer) },
    ].map((one) => JSON.stringify(one)),
}

/** The API has no refusals: a model refuses in words. */
const contentOf = (answer: WireAnswer): ReadonlyArray<string> =>
  refuses(answer) ? ["That is refused."] : textsOf(answer)

const line = (answer: WireAnswer, { model }: WireBody, message: JsonObject): JsonObject => ({
  model,
  created_at: "2026-08-21T18:48:22.000000Z",
  message: { role: "assistant", ...message },
  done: false,
  ...(answer.fault === "unknown_fields" ? { mood: "sunny" } : {}),
})

const callsIn = (answer: WireAnswer, request: WireBody): JsonObject =>
  callsOf(answer).length === 0
    ? {}
    : {
        tool_calls: callsOf(answer).map(({ name, value }, index) => ({
          id: `call_${turnOf(request)}${index}`,
          function: { index, name, ...(value === undefined ? {} : { arguments: value }) },
        })),
      }

const ending = (answer: WireAnswer): JsonObject => {
  const { input, output } = usageOf(answer)
  return {
    done: true,
    done_reason: answer.reason ?? (answer.cut === true ? "length" : "stop"),
    total_duration: 1_000_000,
    prompt_eval_count: input,
    eval_count: output,
  }
}
