/** Thoughts, citations and their order return to the model with the results of its calls. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import type { Json, JsonObject, Message, ModelRequest } from "@planloom/plugin/effect"
import { wireServer, type RawAnswer } from "@planloom/testing"
import { anthropic } from "./anthropic.ts"
import { parseOptions } from "./options.ts"

const citation = { type: "char_location", cited_text: "North leads.", document_index: 0 }

/** Interleaved: the model thinks again after its first call. */
const blocks: ReadonlyArray<JsonObject> = [
  { type: "thinking", thinking: "Which region?", signature: "c2ln" },
  { type: "redacted_thinking", data: "eHh4" },
  { type: "text", text: "North leads.", citations: [citation] },
  { type: "tool_use", id: "a", name: "top", input: { limit: 3 } },
  { type: "thinking", thinking: "And the rest?", signature: "c2lnMg" },
  { type: "tool_use", id: "b", name: "top", input: {} },
]

const events: ReadonlyArray<JsonObject> = [
  { type: "message_start", message: { usage: { input_tokens: 3, output_tokens: 1 } } },
  ...blocks.flatMap((block, index): ReadonlyArray<JsonObject> => {
    const { start, deltas } = streamed(block)
    return [
      { type: "content_block_start", index, content_block: start },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]
  }),
  { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 9 } },
  { type: "message_stop" },
]

function streamed(block: JsonObject): {
  readonly start: JsonObject
  readonly deltas: ReadonlyArray<JsonObject>
} {
  switch (block["type"]) {
    case "thinking":
      return {
        start: { type: "thinking", thinking: "", signature: "" },
        deltas: [
          { type: "thinking_delta", thinking: block["thinking"]! },
          { type: "signature_delta", signature: block["signature"]! },
        ],
      }
    case "text":
      return {
        start: { type: "text", text: "", citations: null },
        deltas: [
          { type: "text_delta", text: block["text"]! },
          { type: "citations_delta", citation },
        ],
      }
    case "tool_use":
      return {
        start: { ...block, input: {} },
        deltas: [{ type: "input_json_delta", partial_json: JSON.stringify(block["input"]) }],
      }
    default:
      return { start: block, deltas: [] }
  }
}

const raw: RawAnswer = {
  body: {
    content: blocks,
    stop_reason: "tool_use",
    usage: { input_tokens: 3, output_tokens: 9 },
  },
}

/** The service names its events, unlike others. */
const rawStream: RawAnswer = {
  headers: { "content-type": "text/event-stream" },
  body: events.map((one) => `event: ${one["type"]}\ndata: ${JSON.stringify(one)}\n\n`).join(""),
}

const request: ModelRequest = {
  model: "claude-opus-5-5",
  system: [],
  reasoning: "high",
  messages: [{ role: "user", content: "sales by region" }],
}

describe("a reply of Claude with thoughts between its blocks", () => {
  it.live("returns unchanged with the results of its calls, whole and streamed", () =>
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => wireServer({ answers: [{ raw }] })),
        (open) => Effect.promise(() => open.close()),
      )
      const config = { base_url: server.url }
      const provider = anthropic(parseOptions(config, { root: ".", secret: () => "key" }))
      const reply = yield* provider.generate!(request)
      server.answer({ raw: rawStream })
      const parts = yield* Stream.runCollect(provider.stream!(request))
      server.answer({ raw })
      const streamedCalls = parts.flatMap((part) => (part.type === "tool_call" ? [part.call] : []))
      assert.deepStrictEqual(streamedCalls, reply.toolCalls)
      assert.strictEqual(reply.text, "North leads.")
      assert.notInclude(JSON.stringify(parts.filter(({ type }) => type === "text")), "c2ln")

      const next = (message: Message, model = request.model) =>
        Effect.gen(function* () {
          const results = reply.toolCalls.map(({ id, name }): Message => ({
            role: "tool",
            toolCallId: id,
            name,
            content: 1,
          }))
          const messages = [...request.messages, message, ...results]
          yield* provider.generate!({ ...request, model, messages })
          const sent = server.requests.at(-1)!.body["messages"] as ReadonlyArray<JsonObject>
          return sent[1]!["content"] as Json
        })
      const { text: content, toolCalls } = reply
      assert.deepStrictEqual(yield* next({ role: "assistant", content, toolCalls }), [...blocks])
      const withoutThoughts = [
        { type: "text", text: "North leads." },
        ...blocks.filter(({ type }) => type === "tool_use"),
      ]
      const other = yield* next({ role: "assistant", content, toolCalls }, "claude-haiku-5-5")
      assert.deepStrictEqual(other, withoutThoughts)
    }).pipe(Effect.scoped),
  )
})
