/** The state of a reply comes back to the model that gave it, and to no other. */
import { assert, describe, it } from "vitest"
import type { Json, ToolCall } from "@planloom/plugin/effect"
import { replyStateOf, withReplyState } from "./replyState.ts"

const origin = { service: "far", model: "large" }
const calls: ReadonlyArray<ToolCall> = [
  { id: "a", name: "top", arguments: { limit: 3 } },
  { id: "b", name: "top", arguments: {} },
]
const state: Json = [{ type: "thinking", thinking: "Hm.", signature: "c2ln" }]
const toolCalls = withReplyState(origin, { text: " Let me see.\n", toolCalls: calls }, state)
const message = { role: "assistant", content: "Let me see.", toolCalls } as const

describe("the state of a reply", () => {
  it("is on its first call and returns to its model, also after a record as JSON", () => {
    assert.isUndefined(toolCalls[1]!.signature)
    assert.deepStrictEqual(replyStateOf(origin, message), state)
    const recorded = JSON.parse(JSON.stringify(message)) as typeof message
    assert.deepStrictEqual(replyStateOf(origin, recorded), state)
  })

  it("does not return to another model or another service", () => {
    assert.isUndefined(replyStateOf({ ...origin, model: "small" }, message))
    assert.isUndefined(replyStateOf({ ...origin, service: "near" }, message))
  })

  it("is lost when the text or the calls of the message change", () => {
    assert.isUndefined(replyStateOf(origin, { ...message, content: "Let me think." }))
    const changed = [{ ...toolCalls[0]!, arguments: { limit: 4 } }, toolCalls[1]!]
    assert.isUndefined(replyStateOf(origin, { ...message, toolCalls: changed }))
  })

  it("is nothing without calls", () => {
    assert.deepStrictEqual(withReplyState(origin, { text: "x", toolCalls: [] }, state), [])
    assert.isUndefined(replyStateOf(origin, { role: "assistant", content: "x" }))
  })
})
