/** The moment at which a tool's source is called, and the failure of a source or a provider that throws then. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  stageKind,
  type JsonObject,
  type Provider,
  type RunEvent,
  type Tool,
  type ToolSource,
} from "@planloom/plugin/effect"
import { collect } from "../../test/collect.ts"
import { workflowOf } from "../../test/inline.ts"
import { emptyRecording, recordingJournal } from "../run/journal/journals.ts"
import { MemoryBudgetLedger } from "../model/limit/MemoryBudgetLedger.ts"
import type { RunOptions } from "../run/RunOptions.ts"

const call = stageKind<JsonObject>({
  id: "call",
  summary: "Calls a tool, and a model.",
  input: { type: "object", additionalProperties: true },
  output: true,
  run: (_, { callTool, model }) =>
    Effect.andThen(
      Effect.exit(callTool({ tool: "look", params: {}, key: "one" })),
      Effect.map(model.text({ messages: [{ role: "user", content: "?" }] }), ({ text }) => text),
    ),
})

const reply = {
  text: "x",
  reasoning: "",
  toolCalls: [],
  finish: "stop",
  usage: { input: 7, output: 3 },
} as const

/** A run, and how often its source was called. */
const ran = (
  {
    generate = () => Effect.succeed(reply),
    source = () => Effect.succeed({ value: "seen" }),
    tool = {},
  }: {
    readonly generate?: Provider["generate"]
    readonly source?: ToolSource["call"]
    readonly tool?: Partial<Tool>
  },
  options: RunOptions = {},
) =>
  Effect.gen(function* () {
    let calls = 0
    const tools: ToolSource = {
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
            ...tool,
          },
        ],
      }),
      call: (invocation) => {
        calls++
        return source(invocation)
      },
    }
    const { pipeline } = yield* workflowOf(
      `defaults: { model: vendor/any }\nstages: [{ id: work, uses: call, on_error: continue }]\n`,
      {
        stages: [call],
        providers: [{ id: "vendor", summary: "A model.", generate }],
        tools: [tools],
      },
    )
    const { events } = yield* collect(pipeline, {}, options)
    const find = <T extends RunEvent["type"]>(type: T) =>
      events.find((one): one is Extract<RunEvent, { readonly type: T }> => one.type === type)
    return { calls, tool: find("ToolCalled"), model: find("ModelCalled") }
  })

const ways: ReadonlyArray<readonly [string, () => RunOptions]> = [
  ["without a record", () => ({})],
  ["on record", () => ({ journal: recordingJournal(emptyRecording()) })],
]

describe.each(ways)("the start of a call %s", (_, options) => {
  it.effect("is recorded as a failure of the tool whose source throws", () =>
    Effect.gen(function* () {
      const source = () => {
        throw new Error("no socket")
      }
      const { model, tool } = yield* ran({ source }, options())
      assert.deepInclude(tool?.failure, { class: "internal", message: '"look" broke: no socket' })
      assert.isUndefined(model?.failure)
    }),
  )

  it.effect("is recorded as a failure of the model whose provider throws", () =>
    Effect.gen(function* () {
      const generate = () => {
        throw new Error("no socket")
      }
      const { model } = yield* ran({ generate }, options())
      assert.deepInclude(model?.failure, {
        class: "internal",
        message: "the provider ended with a defect",
      })
    }),
  )

  it.effect("does not reach a tool that a budget of the host refuses", () =>
    Effect.gen(function* () {
      const budget = new MemoryBudgetLedger({ tool_calls: 0 }, "the host")
      const { calls, tool } = yield* ran({}, { ...options(), budget })
      assert.strictEqual(calls, 0)
      assert.isTrue(tool?.refused)
    }),
  )

  it.effect("does not reach a tool whose schema of results cannot be used", () =>
    Effect.gen(function* () {
      const { calls, tool } = yield* ran({ tool: { result: { type: "strange" } } }, options())
      assert.strictEqual(calls, 0)
      assert.strictEqual(tool?.failure?.class, "invalid_request")
    }),
  )

  it.effect("says which component executes before its source is called", () =>
    Effect.gen(function* () {
      let component: string | undefined
      const seen: Array<string | undefined> = []
      yield* ran(
        {
          source: () => {
            seen.push(component)
            return Effect.succeed({ value: 1 })
          },
        },
        { ...options(), onPlace: (place) => (component = place?.component) },
      )
      assert.deepStrictEqual(seen, ["tools/look"])
    }),
  )
})
