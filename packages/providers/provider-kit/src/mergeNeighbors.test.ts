import { assert, describe, it } from "vitest"
import type { Message } from "@planloom/plugin/effect"
import { mergeNeighbors } from "./mergeNeighbors.ts"

const user = (content: string): Message => ({ role: "user", content })
const image = { type: "image", mediaType: "image/png", data: "aGk=" } as const
const call = { id: "a", name: "top", arguments: {} }
const result: Message = { role: "tool", toolCallId: "a", name: "top", content: "3" }

describe("mergeNeighbors", () => {
  it("joins texts of one role with an empty line and leaves alternating roles unchanged", () => {
    const answer: Message = { role: "assistant", content: "c" }
    assert.deepStrictEqual(mergeNeighbors([user("a"), user("b"), answer, user("d")]), [
      user("a\n\nb"),
      answer,
      user("d"),
    ])
  })

  it("keeps images in their order and tool calls with their message", () => {
    assert.deepStrictEqual(
      mergeNeighbors([
        user("a"),
        { role: "user", content: [image] },
        { role: "assistant", content: "b" },
        { role: "assistant", content: "", toolCalls: [call] },
      ]),
      [
        { role: "user", content: [{ type: "text", text: "a" }, image] },
        { role: "assistant", content: "b", toolCalls: [call] },
      ],
    )
  })

  it("leaves out empty messages and keeps results of tools apart", () => {
    const calling: Message = { role: "assistant", content: "", toolCalls: [call] }
    assert.deepStrictEqual(
      mergeNeighbors([
        user("a"),
        { role: "assistant", content: "" },
        user("b"),
        calling,
        result,
        result,
      ]),
      [user("a\n\nb"), calling, result, result],
    )
  })
})
