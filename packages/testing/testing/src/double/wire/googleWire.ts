/** Google's generateContent and streamGenerateContent, of the Gemini API. */
import type { JsonObject } from "@planloom/plugin/effect"
import { callsOf, refuses, textsOf, usageOf, type WireAnswer } from "./WireAnswer.ts"
import { data, type WireFormat } from "./WireFormat.ts"

const states: { readonly [status: number]: string } = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
}

export const googleWire: WireFormat = {
  headers: {},
  malformed: 'data: {"candidates": [{',
  error: ({ contextLength, message, retryAfter, status }) => ({
    headers: {},
    body: {
      error: {
        code: status,
        message: contextLength
          ? "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."
          : message,
        status: states[status] ?? "UNKNOWN",
        ...(retryAfter === undefined
          ? {}
          : {
              details: [
                { "@type": "type.googleapis.com/google.rpc.Help", links: [] },
                {
                  "@type": "type.googleapis.com/google.rpc.RetryInfo",
                  retryDelay: `${retryAfter / 1000}s`,
                },
              ],
            }),
      },
    },
  }),
  whole: (answer, { model }) =>
    answer.fault === "blocked"
      ? blocked(model, answer)
      : response(model, answer, [...thoughts(answer), ...texts(answer), ...calls(answer)], true),
  events: (answer, { model }) =>
    answer.fault === "blocked"
      ? [data(blocked(model, answer))]
      : [
          ...[...thoughts(answer), ...texts(answer), ...calls(answer)].map((part) =>
            data(response(model, answer, [part], false)),
          ),
          // The last piece may hold an empty text beside the reason, as the service does it.
          data(response(model, answer, [{ text: "" }], true)),
        ],
}

const blocked = (model: string, answer: WireAnswer): JsonObject => ({
  promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
  usageMetadata: {
    promptTokenCount: usageOf(answer).input,
    totalTokenCount: usageOf(answer).input,
  },
  modelVersion: model,
  responseId: "resp_wire",
})

const response = (
  model: string,
  answer: WireAnswer,
  parts: ReadonlyArray<JsonObject>,
  last: boolean,
): JsonObject => ({
  candidates: [
    {
      ...(refuses(answer) ? {} : { content: { role: "model", parts } }),
      index: 0,
      ...(last ? { finishReason: answer.reason ?? finishReason(answer), ...answer.beside } : {}),
      ...(answer.fault === "unknown_fields" ? { weather: { sunny: true } } : {}),
    },
  ],
  usageMetadata: usage(answer),
  modelVersion: model,
  responseId: "resp_wire",
  ...(answer.fault === "unknown_fields" ? { mood: "sunny" } : {}),
})

const finishReason = (answer: WireAnswer): string => {
  if (refuses(answer)) return "SAFETY"
  return answer.cut === true ? "MAX_TOKENS" : "STOP"
}

const usage = (answer: WireAnswer): JsonObject => {
  const { input, output } = usageOf(answer)
  return {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
    ...(answer.cached === undefined ? {} : { cachedContentTokenCount: answer.cached }),
  }
}

const thoughts = ({ reasoning }: WireAnswer): ReadonlyArray<JsonObject> =>
  reasoning === undefined ? [] : [{ text: reasoning, thought: true }]

const texts = (answer: WireAnswer): ReadonlyArray<JsonObject> => [
  ...(answer.fault === "unknown_fields" ? [{ song: { notes: "la" } }] : []),
  ...textsOf(answer).map((text) => ({ text })),
]

/** Without ids, as the Gemini API sends them. */
const calls = (answer: WireAnswer): ReadonlyArray<JsonObject> =>
  callsOf(answer).map(({ name, value }) => ({
    functionCall: { name, ...(value === undefined ? {} : { args: value }) },
    ...(answer.signature === undefined ? {} : { thoughtSignature: answer.signature }),
  }))
