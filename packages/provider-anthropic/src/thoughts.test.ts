/** Thoughts before tool calls, read from a reply and returned with the results. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import type { Message, ModelRequest, ToolCall } from "@planloom/plugin/effect"
import { wireServer } from "@planloom/testing"
import { anthropic } from "./anthropic.ts"
import { parseOptions } from "./options.ts"
import { fromSignature, toSignature } from "./thoughts.ts"

const thought = { type: "thinking", thinking: "Hm.", signature: "c2ln" } as const
const call = { type: "tool_use", id: "a", name: "top", input: {} } as const
const request: ModelRequest = {
  model: "claude-small",
  system: [],
  messages: [{ role: "user", content: "sales by region" }],
  reasoning: "high",
}

describe("the signature of a tool call", () => {
  it("keeps the thoughts before the call, also hidden ones", () => {
    const hidden = { type: "redacted_thinking", data: "eHh4" } as const
    const signature = toSignature([thought, hidden, { type: "text" }, call])
    assert.deepStrictEqual(fromSignature(signature), [thought, hidden])
  })

  it("is left out without thoughts, and with thoughts between other blocks", () => {
    assert.isUndefined(toSignature([call]))
    assert.isUndefined(toSignature([thought, { type: "text" }, thought, call]))
  })

  it("of another service holds no thoughts", () => {
    assert.isUndefined(fromSignature("c2lnbmVk"))
    assert.isUndefined(fromSignature(undefined))
  })

  it.live("is the same from a whole reply and from a stream, and is on the first call alone", () =>
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.promise(() =>
          wireServer({
            answers: [
              {
                reasoning: "Which region?",
                tool_calls: [
                  { name: "top", arguments: { limit: 3 } },
                  { name: "top", arguments: {} },
                ],
              },
            ],
          }),
        ),
        (open) => Effect.promise(() => open.close()),
      )
      const config = { base_url: server.url }
      const provider = anthropic(parseOptions(config, { root: ".", secret: () => "key" }))
      const whole = yield* provider.generate!(request)
      const parts = yield* Stream.runCollect(provider.stream!(request))
      const streamed = parts.flatMap((part) => (part.type === "tool_call" ? [part.call] : []))
      assert.deepStrictEqual(streamed, whole.toolCalls)
      const [first, second] = whole.toolCalls as readonly [ToolCall, ToolCall]
      assert.deepStrictEqual(fromSignature(first.signature), [
        { ...thought, thinking: "Which region?" },
      ])
      assert.isUndefined(second.signature)

      const results = whole.toolCalls.map(({ id, name }): Message => ({
        role: "tool",
        toolCallId: id,
        name,
        content: 1,
      }))
      const asked: Message = { role: "assistant", content: "", toolCalls: whole.toolCalls }
      yield* provider.generate!({ ...request, messages: [...request.messages, asked, ...results] })
      const { body } = server.requests.at(-1)!
      assert.deepInclude(body["thinking"], { type: "adaptive" })
      const { content } = (body["messages"] as unknown as ReadonlyArray<any>)[1]
      assert.deepStrictEqual(content[0], { ...thought, thinking: "Which region?" })
    }).pipe(Effect.scoped),
  )
})
