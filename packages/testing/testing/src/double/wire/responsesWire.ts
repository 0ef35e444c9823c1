/** OpenAI's Responses API, as the service sends it. */
import type { JsonObject } from "@planloom/plugin/effect"
import { openaiWire } from "./openaiWire.ts"
import { callsOf, refuses, textsOf, thirds, usageOf, type WireAnswer } from "./WireAnswer.ts"
import { data, turnOf, type WireBody, type WireFormat } from "./WireFormat.ts"

export const responsesWire: WireFormat = {
  headers: openaiWire.headers,
  error: openaiWire.error,
  malformed: 'data: {"type": "response.output_text.delta", "delta',
  whole: (answer, request) => response(answer, request, items(answer, request), "completed"),
  events: (answer, request) => {
    const whole = items(answer, request)
    let sequence = 0
    const event = (type: string, more: JsonObject) =>
      data({ type, sequence_number: sequence++, ...more })
    return [
      event("response.created", { response: response(answer, request, [], "in_progress") }),
      ...(answer.fault === "unknown_fields" ? [event("response.weather", { sunny: true })] : []),
      ...whole.flatMap((item, output_index) => [
        event("response.output_item.added", { output_index, item: { ...item, content: [] } }),
        ...deltas(answer, item).map(([type, delta]) =>
          event(type, { output_index, item_id: item["id"] ?? "", delta }),
        ),
        event("response.output_item.done", { output_index, item }),
      ]),
      event(`response.${lastEvents.has(endOf(answer)) ? endOf(answer) : "completed"}`, {
        response: response(answer, request, whole, "completed"),
      }),
    ]
  },
}

/** The reason of an incomplete response; the other words are a status. */
const incompleteReason = ({ cut, fault, reason }: WireAnswer): string | undefined => {
  if (reason !== undefined) return statuses.has(reason) ? undefined : reason
  if (fault === "blocked") return "content_filter"
  return cut === true ? "max_output_tokens" : undefined
}

const statuses: ReadonlySet<string> = new Set(["completed", "failed", "cancelled", "incomplete"])

const lastEvents: ReadonlySet<string> = new Set(["completed", "failed", "incomplete"])

const endOf = (answer: WireAnswer): string =>
  incompleteReason(answer) === undefined ? (answer.reason ?? "completed") : "incomplete"

const response = (
  answer: WireAnswer,
  { model }: WireBody,
  output: ReadonlyArray<JsonObject>,
  status: string,
): JsonObject => {
  const { input, output: written } = usageOf(answer)
  const incomplete = incompleteReason(answer)
  return {
    id: "resp_wire",
    object: "response",
    created_at: 1_700_000_000,
    model,
    status: status === "in_progress" ? status : endOf(answer),
    error: null,
    incomplete_details: incomplete === undefined ? null : { reason: incomplete },
    output,
    usage:
      status === "in_progress"
        ? null
        : {
            input_tokens: input,
            input_tokens_details: { cached_tokens: answer.cached ?? 0, cache_write_tokens: 0 },
            output_tokens: written,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: input + written,
          },
    ...(answer.fault === "unknown_fields" ? { mood: "sunny" } : {}),
  }
}

const items = (answer: WireAnswer, request: WireBody): ReadonlyArray<JsonObject> => {
  const { reasoning } = answer
  const text = textsOf(answer).join("")
  const turn = turnOf(request)
  const content = refuses(answer)
    ? [{ type: "refusal", refusal: "That is refused." }]
    : [{ type: "output_text", text, annotations: [], logprobs: [] }]
  return [
    ...(reasoning === undefined
      ? []
      : [
          {
            type: "reasoning",
            id: `rs_${turn}wire`,
            summary: [{ type: "summary_text", text: reasoning }],
            encrypted_content: "c2ln",
          },
        ]),
    ...(answer.fault === "unknown_fields" ? [{ type: "song", notes: "la" }] : []),
    ...(text !== "" || refuses(answer)
      ? [
          {
            type: "message",
            id: `msg_${turn}wire`,
            role: "assistant",
            status: "completed",
            content,
          },
        ]
      : []),
    ...callsOf(answer).map(({ name, text: args }, index) => ({
      type: "function_call",
      id: `fc_${turn}${index}`,
      call_id: `call_${turn}${index}`,
      name,
      arguments: args,
      status: "completed",
    })),
  ]
}

const deltas = (
  answer: WireAnswer,
  { arguments: args, type }: JsonObject,
): ReadonlyArray<readonly [type: string, delta: string]> => {
  const texts = (name: string, parts: ReadonlyArray<string>) =>
    parts.filter((part) => part !== "").map((part) => [name, part] as const)
  switch (type) {
    case "reasoning":
      return texts("response.reasoning_summary_text.delta", thirds(answer.reasoning ?? ""))
    case "message":
      return refuses(answer)
        ? texts("response.refusal.delta", ["That is refused."])
        : texts("response.output_text.delta", textsOf(answer))
    case "function_call":
      return texts("response.function_call_arguments.delta", thirds(String(args)))
    default:
      return []
  }
}
