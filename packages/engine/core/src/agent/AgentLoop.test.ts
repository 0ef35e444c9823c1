/** The loop against a site of its own, without an engine. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  ToolFailed,
  type AgentLimits,
  type Json,
  type Tool,
  type ToolCall,
} from "@planloom/plugin/effect"
import { AgentLoop } from "./AgentLoop.ts"
import type { AgentSite, LoopReply } from "./AgentSite.ts"

const lookUp: Tool = {
  name: "look_up",
  summary: "Looks a word up.",
  capabilities: [],
  inputs: {},
  outputs: [],
  params: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
  effect: "read",
}

const reply = (text: string, toolCalls: ReadonlyArray<ToolCall> = []): LoopReply => ({
  text,
  reasoning: "",
  toolCalls,
  finish: toolCalls.length === 0 ? "stop" : "tool_calls",
  usage: { input: 1, output: 1 },
  model: "scripted/one",
})

const call = (id: string, word: string): ToolCall => ({
  id,
  name: "look_up",
  arguments: { word },
})

const offers = [{ tool: "look_up", form: "schema" }] as const

/** Runs the loop on replies in order, and gives the outcome with what tools and models were asked. */
const looped = (replies: ReadonlyArray<LoopReply>, limits: AgentLimits) => {
  const calls: Array<Json> = []
  const refused: Array<readonly [tool: string, reason: string]> = []
  const lastMessages: Array<Json> = []
  let turn = 0
  const site: AgentSite = {
    path: "stage",
    tool: (name) => (name === lookUp.name ? lookUp : undefined),
    writes: () => false,
    complement: () => {},
    prepare: (_tool, params) => params,
    summarize: () => "found",
    suggest: () => undefined,
    reportRead: () => {},
    read: () => Effect.succeed({ ok: false }),
    complete: (_ask, whole) => Effect.succeed(whole),
    ask: ({ messages }) =>
      Effect.sync(() => {
        lastMessages.push(messages.at(-1) as unknown as Json)
        return { reply: replies[turn++]!, offers }
      }),
    call: ({ params, refusal, tool }) =>
      Effect.suspend(() => {
        if (refusal !== undefined) {
          refused.push([tool, refusal.class])
          return Effect.fail(new ToolFailed({ ...refusal, tool }))
        }
        calls.push(params)
        return Effect.succeed("a meaning")
      }),
  }
  const ask = { messages: [{ role: "user", content: "what is a loom?" } as const] }
  return Effect.map(new AgentLoop(ask, limits, site).turn(), (outcome) => ({
    ...outcome,
    made: calls,
    refused,
    lastMessages,
  }))
}

describe("a tool loop", () => {
  it.effect("runs the calls of a turn, and ends with a reply without calls", () =>
    Effect.gen(function* () {
      const {
        calls,
        lastMessages,
        made,
        reply: last,
        stopped,
      } = yield* looped([reply("", [call("1", "loom")]), reply("A weaving machine.")], { turns: 3 })
      assert.strictEqual(stopped, "answer")
      assert.strictEqual(last.text, "A weaving machine.")
      assert.deepStrictEqual(made, [{ word: "loom" }])
      assert.deepStrictEqual(
        calls.map(({ ok, summary }) => [ok, summary]),
        [[true, "found"]],
      )
      assert.deepInclude(lastMessages[1], { role: "tool", toolCallId: "1" })
    }),
  )

  it.effect("does not repeat a call that was made, and gives the model the reason", () =>
    Effect.gen(function* () {
      const { lastMessages, made } = yield* looped(
        [reply("", [call("1", "loom")]), reply("", [call("2", "loom")]), reply("Done.")],
        { turns: 3 },
      )
      assert.lengthOf(made, 1)
      assert.include(JSON.stringify(lastMessages[2]), "already made")
    }),
  )

  it.effect("records the calls that it does not make: unknown, unread, beyond the limit", () =>
    Effect.gen(function* () {
      const { calls, lastMessages, made, refused } = yield* looped(
        [
          reply("", [
            { id: "1", name: "look_down", arguments: {} },
            { id: "2", name: "look_up", arguments: {}, unread: "a text" },
            call("3", "loom"),
            call("4", "warp"),
          ]),
          reply("Done."),
        ],
        { turns: 3, calls: 1 },
      )
      assert.deepStrictEqual(refused, [
        ["look_down", "invalid_request"],
        ["look_up", "invalid_request"],
        ["look_up", "budget"],
      ])
      assert.deepStrictEqual(made, [{ word: "loom" }])
      assert.lengthOf(calls, 1)
      assert.include(JSON.stringify(lastMessages[1]), "no further tool is called")
    }),
  )

  it.effect("gets a note in its last turn, and ends with an answer in place of calls", () =>
    Effect.gen(function* () {
      const {
        lastMessages,
        made,
        reply: last,
        stopped,
      } = yield* looped(
        [
          reply("", [call("1", "loom")]),
          reply("", [call("2", "warp")]),
          reply("", [call("3", "weft")]),
          reply("So far: two words."),
        ],
        { turns: 4 },
      )
      assert.strictEqual(stopped, "answer")
      assert.strictEqual(last.text, "So far: two words.")
      assert.lengthOf(made, 3)
      const notes = lastMessages.map(
        (message) => /two replies left|last reply/.exec(JSON.stringify(message))?.[0],
      )
      assert.deepStrictEqual(notes, [undefined, undefined, "two replies left", "last reply"])
      assert.deepInclude(lastMessages[3], { role: "tool", toolCallId: "3" })
    }),
  )

  it.effect("makes no call of its last turn, records them, and ends with the reason", () =>
    Effect.gen(function* () {
      const { made, refused, stopped } = yield* looped(
        [reply("", [call("1", "loom")]), reply("", [call("2", "warp")])],
        { turns: 2 },
      )
      assert.strictEqual(stopped, "max_turns")
      assert.lengthOf(made, 1)
      assert.deepStrictEqual(refused, [["look_up", "budget"]])
    }),
  )

  it.effect("makes the calls of a loop of one turn", () =>
    Effect.gen(function* () {
      const { lastMessages, made, stopped } = yield* looped([reply("", [call("1", "loom")])], {
        turns: 1,
      })
      assert.strictEqual(stopped, "max_turns")
      assert.lengthOf(made, 1)
      assert.notInclude(JSON.stringify(lastMessages), "last reply")
    }),
  )

  it.effect.each([
    ["tokens of a further turn", { turns: 9, tokens: 5 }],
    ["calls", { turns: 9, calls: 2 }],
  ] as const)("gets its last turn once no %s are left", ([, limits]) =>
    Effect.gen(function* () {
      const { lastMessages, made, stopped } = yield* looped(
        [reply("", [call("1", "loom")]), reply("", [call("2", "warp")]), reply("Two words.")],
        limits,
      )
      assert.strictEqual(stopped, "answer")
      assert.lengthOf(made, 2)
      assert.include(JSON.stringify(lastMessages[2]), "last reply")
    }),
  )

  it.effect("ends with the answer of its shape that the last turn gives", () =>
    Effect.gen(function* () {
      const seven: ToolCall = { id: "2", name: "answer", arguments: { value: 7 } }
      const { lastMessages, stopped, value } = yield* looped(
        [reply("", [call("1", "loom")]), reply("", [seven])],
        { turns: 2, result: { type: "integer" } },
      )
      assert.deepStrictEqual([stopped, value], ["answer", 7])
      assert.include(JSON.stringify(lastMessages[1]), "Call `answer` now")
    }),
  )

  it.effect("takes an answer of the declared shape from the answer tool alone", () =>
    Effect.gen(function* () {
      const answer = (id: string, value: Json): ToolCall => ({
        id,
        name: "answer",
        arguments: { value },
      })
      const { lastMessages, stopped, value } = yield* looped(
        [reply("", [answer("1", "seven")]), reply("", [answer("2", 7)])],
        { turns: 3, result: { type: "integer" } },
      )
      assert.strictEqual(stopped, "answer")
      assert.strictEqual(value, 7)
      assert.include(JSON.stringify(lastMessages[1]), "does not fit")
    }),
  )
})
