/** Tool calls that are refused before they reach the tool: on record like those that are made, and counted in no budget. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import {
  stageKind,
  ToolFailed,
  type CallRecord,
  type FailureClass,
  type Json,
  type RunEvent,
  type StageContext,
  type Tool,
  type ToolSource,
} from "@planloom/plugin/effect"
import { cases } from "../../../../../.config/cases.ts"
import { collect } from "../../test/collect.ts"
import { workflowOf } from "../../test/inline.ts"
import type { RunOptions } from "../run/RunOptions.ts"

type ToolCalled = Extract<RunEvent, { readonly type: "ToolCalled" }>

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  summary: "A tool.",
  capabilities: [],
  inputs: {},
  outputs: [],
  params: { type: "object", properties: { n: { type: "integer" } }, additionalProperties: false },
  ...more,
})

/** Calls with their outcomes; `reaches`: the call counts as one of its tool. */
const wishes = {
  made: { call: { tool: "look", params: { n: 1 } }, class: undefined, reaches: true },
  failing: { call: { tool: "fails", params: {} }, class: "unavailable", reaches: true },
  unknown: { call: { tool: "nothing", params: {} }, class: "invalid_request", reaches: false },
  mismatch: {
    call: { tool: "look", params: { n: "x" } },
    class: "invalid_request",
    reaches: false,
  },
  unsettled: {
    call: { tool: "writes", params: {}, settled: false },
    class: "clarification",
    reaches: false,
  },
  declined: { call: { tool: "asks", params: {} }, class: "cancelled", reaches: true },
  refused: {
    call: { tool: "look", params: {}, refusal: { class: "blocked", message: "not now" } },
    class: "blocked",
    reaches: false,
  },
} as const satisfies {
  readonly [name: string]: {
    readonly call: Omit<Parameters<StageContext["callTool"]>[0], "key">
    readonly class: FailureClass | undefined
    readonly reaches: boolean
  }
}

type Wish = keyof typeof wishes

const names = Object.keys(wishes) as ReadonlyArray<Wish>

/** Makes the calls in order, survives their failures, and returns the records that the stage has of them. */
const caller = stageKind<{ readonly wishes: ReadonlyArray<Wish> }>({
  id: "caller",
  summary: "Calls tools.",
  input: { type: "object", properties: { wishes: { type: "array" } }, required: ["wishes"] },
  output: true,
  run: (input, context) =>
    Effect.map(
      Effect.forEach(input.wishes, (wish, index) =>
        Effect.ignore(context.callTool({ ...wishes[wish].call, key: `${index}` })),
      ),
      () => context.calls as unknown as Json,
    ),
})

const laterCalls = stageKind<object>({
  id: "later_calls",
  summary: "Returns the calls of the run.",
  input: { type: "object" },
  output: true,
  run: (_, { calls }) => Effect.succeed(calls as unknown as Json),
})

const source = (called: Array<string>): ToolSource => ({
  id: "tools",
  summary: "Tools.",
  list: Effect.succeed({
    tools: [
      tool("look", { effect: "read" }),
      tool("fails", { effect: "read" }),
      tool("writes", { effect: "write" }),
      tool("asks", { needs_approval: true }),
    ],
  }),
  call: ({ tool: name }) =>
    Effect.suspend(() => {
      called.push(name)
      return name === "fails"
        ? Effect.fail(new ToolFailed({ tool: name, class: "unavailable", message: "closed" }))
        : Effect.succeed({ value: 1 })
    }),
})

const runOf = (wanted: ReadonlyArray<Wish>, { head = "", ...options }: Options = {}) =>
  Effect.gen(function* () {
    const called: Array<string> = []
    const { pipeline } = yield* workflowOf(
      `${head}inputs: { wishes: { type: array } }
stages:
  - { id: work, uses: caller, with: { wishes: "\${{ inputs.wishes }}" } }
  - { id: later, uses: later_calls }
outputs: { own: "\${{ stages.work.output }}", later: "\${{ stages.later.output }}" }
`,
      { stages: [caller, laterCalls], tools: [source(called)] },
    )
    const { events, result } = yield* collect(
      pipeline,
      { wishes: wanted },
      { answer: () => Effect.succeed({ approved: false }), ...options },
    )
    const made = events.filter((one): one is ToolCalled => one.type === "ToolCalled")
    return { called, made, result, pipeline }
  })

interface Options extends RunOptions {
  readonly head?: string
}

const briefly = ({ class: reason, ok, refused, tool: name }: CallRecord) => [
  name,
  ok,
  reason,
  refused === true,
]

const isRefused = (wish: Wish): boolean => !wishes[wish].reaches

describe("calls that never reach their tool", () => {
  it.effect("are records and events with class and message, as those that do", () =>
    Effect.gen(function* () {
      yield* Effect.forEach(
        fc.sample(fc.array(fc.constantFrom(...names), { maxLength: 8 }), {
          numRuns: cases(30),
          seed: 32,
        }),
        (wanted) =>
          Effect.gen(function* () {
            const { called, made, result } = yield* runOf(wanted)
            const expected = wanted.map((wish) => {
              const { call, class: reason } = wishes[wish]
              return [call.tool, reason === undefined, reason, isRefused(wish)]
            })
            const own = result.outputs["own"] as unknown as ReadonlyArray<CallRecord>
            assert.deepStrictEqual(own.map(briefly), expected)
            assert.deepStrictEqual(
              (result.outputs["later"] as unknown as ReadonlyArray<CallRecord>).map(briefly),
              expected,
            )
            assert.deepStrictEqual(
              made.map((one) => [
                one.tool,
                one.failure === undefined,
                one.failure?.class,
                one.refused === true,
              ]),
              expected,
            )
            for (const { error, ok } of own) assert.strictEqual(error === undefined, ok)
            assert.lengthOf(
              called,
              wanted.filter((wish) => wish === "made" || wish === "failing").length,
            )
            assert.strictEqual(
              result.usage.toolCalls,
              wanted.filter((wish) => !isRefused(wish)).length,
            )
          }),
      )
    }),
  )

  it.effect("include those beyond a budget, which stays as it was", () =>
    Effect.gen(function* () {
      const { called, made, result } = yield* runOf(["mismatch", "made", "made"], {
        head: "policies: { budget: { tool_calls: 1 } }\n",
      })
      assert.deepStrictEqual(called, ["look"])
      assert.deepStrictEqual(
        made.map(({ failure, refused }) => [failure?.class, refused === true]),
        [
          ["invalid_request", true],
          [undefined, false],
          ["budget", true],
        ],
      )
      assert.strictEqual(result.usage.toolCalls, 1)
    }),
  )
})
