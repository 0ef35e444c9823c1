/** Tool calls that hooks and stages of a run see, with those of earlier processes. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  hook,
  stageKind,
  type CallRecord,
  type JsonObject,
  type RunEvent,
  type ToolSource,
} from "@planloom/plugin/effect"
import { collect } from "../../../test/collect.ts"
import { hookedWorkflow } from "../../../test/hooked.ts"
import { RunCalls } from "./RunCalls.ts"

const call = (path: string, key: string, summary: string): CallRecord => ({
  tool: "look",
  params: {},
  key,
  path,
  ok: true,
  summary,
})

const called = (path: string, key: string, summary: string): RunEvent => ({
  type: "ToolCalled",
  path,
  stage: path,
  tool: "look",
  key,
  params: {},
  summary,
  ms: 0,
  seq: 0,
  at: 0,
})

describe("a tool call of a run", () => {
  it("is kept with all that its record has but the result", () => {
    const whole: Required<CallRecord> = {
      ...call("a", "one", "1"),
      params: { of: "USD" },
      result: 1,
      entities: [{ type: "currency", id: "USD", name: "Dollar" }],
      notes: ["of yesterday"],
      identity: "a1b2",
      from: "made",
      repairs: [],
      error: "none",
      class: "internal",
      refused: true,
    }
    const { result: _, ...kept } = whole
    const calls = new RunCalls()
    calls.add(whole)
    calls.add(call("a", "two", "2"))
    assert.deepStrictEqual(calls.all, [kept, call("a", "two", "2")])
  })
})

describe("the tool calls of a resumed run", () => {
  it("start with those of its events, and do not contain a replayed call twice", () => {
    const calls = new RunCalls()
    calls.resume([called("a", "one", "1"), called("b", "one", "2"), called("b", "one", "3")])
    calls.add({ ...call("b", "one", "2 again"), result: 2 })
    calls.add(call("b", "one", "3 again"))
    calls.add(call("b", "one", "4"))
    assert.deepStrictEqual(
      calls.all.map(({ path, summary }) => `${path} ${summary}`),
      ["a 1", "b 2 again", "b 3 again", "b 4"],
    )
    assert.notProperty(calls.all[1], "result")
  })

  it("contain refused calls as such", () => {
    const calls = new RunCalls()
    const failure = { class: "invalid_request", message: "no tool" } as const
    calls.resume([{ ...called("a", "one", "no tool"), failure, refused: true } as RunEvent])
    assert.deepInclude(calls.all[0], { ok: false, class: "invalid_request", refused: true })
  })

  it("contain failures with their messages", () => {
    const calls = new RunCalls()
    const failure = { class: "tool_error", message: "no rate" } as const
    calls.resume([{ ...called("a", "one", "no rate"), failure } as RunEvent])
    assert.deepStrictEqual(calls.all, [
      { ...call("a", "one", "no rate"), ok: false, error: "no rate", class: "tool_error" },
    ])
  })
})

describe("the tool calls of a run", () => {
  it.effect("are known to later stages, without results of other stages", () =>
    Effect.gen(function* () {
      const source: ToolSource = {
        id: "tools",
        summary: "Tools.",
        list: Effect.succeed({
          tools: [
            {
              name: "look",
              summary: "Looks.",
              capabilities: [],
              inputs: {},
              params: true,
              outputs: [],
              summarize: '"found " + params.of',
            },
          ],
        }),
        call: ({ params }) => Effect.succeed({ value: params }),
      }
      const seen: Array<ReadonlyArray<CallRecord>> = []
      const looks = stageKind<JsonObject>({
        id: "looks",
        summary: "Calls the tool.",
        input: { type: "object", additionalProperties: true },
        output: true,
        run: (params, context) =>
          Effect.tap(context.callTool({ tool: "look", params, key: "one" }), () =>
            Effect.sync(() => seen.push(context.calls)),
          ),
      })
      const atTheEnd: Array<string> = []
      const reads = hook<"before_response">({
        id: "reads",
        summary: "Reads the calls.",
        point: "before_response",
        kind: "observe",
        run: (_, { calls }) => void atTheEnd.push(...calls.map(({ summary }) => summary)),
      })
      const { pipeline } = yield* hookedWorkflow(
        `hooks: [{ use: reads }]
stages:
  - { id: a, uses: looks, with: { of: EUR } }
  - { id: b, uses: looks, with: { of: USD } }
outputs: { said: { type: string, value: done } }
`,
        [reads],
        { stages: [looks], tools: [source] },
      )
      yield* collect(pipeline)
      assert.deepStrictEqual(atTheEnd, ["found EUR", "found USD"])
      const [, last] = seen
      assert.deepStrictEqual(
        last?.map(({ path, result, summary }) => [path, summary, result]),
        [
          ["a", "found EUR", undefined],
          ["b", "found USD", { of: "USD" }],
        ],
      )
    }),
  )
})
