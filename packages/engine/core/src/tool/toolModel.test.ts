/** The model that a tool may call: its calls are part of the tool's call. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { tool, toolSource } from "@planloom/plugin"
import { stageKind, type Json, type Provider } from "@planloom/plugin/effect"
import { collect } from "../../test/collect.ts"
import { workflowOf } from "../../test/inline.ts"
import { emptyRecording, recordingJournal } from "../run/journal/journals.ts"
import type { Pipeline } from "../pipeline/Pipeline.ts"
import { run } from "../run/run.ts"
import type { RunOptions } from "../run/RunOptions.ts"

/** The source, the provider, and how often each was called. */
const world = () => {
  const seen = { tool: 0, prompts: [] as Array<Json> }
  const provider: Provider = {
    id: "vendor",
    summary: "Says how often it was asked.",
    generate: ({ messages, system }) =>
      Effect.sync(() => {
        seen.prompts.push([system ?? null, messages.at(-1)?.content ?? null] as Json)
        return {
          text: `reply ${seen.prompts.length}`,
          reasoning: "",
          toolCalls: [],
          finish: "stop" as const,
          usage: { input: 10, output: 5 },
        }
      }),
  }
  const source = toolSource({
    id: "tools",
    summary: "Tools.",
    tools: [
      tool({
        name: "ask",
        summary: "Asks the model.",
        asks: [{ way: "text" }],
        params: { type: "object" },
        run: async (_, { model }) => {
          seen.tool++
          if (model === undefined) return "no model"
          const { text } = await model.text({ messages: [{ role: "user", content: "Why?" }] })
          return text
        },
      }),
    ],
  })
  return { seen, components: { providers: [provider], tools: [source] } }
}

/** Set if the stage stops after the call of its tool, as in a process that is killed. */
let stopped: Deferred.Deferred<void> | undefined

const stages = [
  stageKind<object>({
    id: "tell",
    summary: "Calls a tool, then its model.",
    input: { type: "object" },
    output: true,
    model: (_, { callTool, model }) =>
      Effect.gen(function* () {
        const said = yield* callTool({ tool: "ask", params: {}, key: "one" })
        if (stopped !== undefined) {
          yield* Deferred.succeed(stopped, undefined)
          yield* Effect.never
        }
        const { text } = yield* model.text({ messages: [{ role: "user", content: "And?" }] })
        return [said, text]
      }),
  }),
  stageKind<object>({
    id: "call",
    summary: "Calls a tool.",
    input: { type: "object" },
    output: true,
    run: (_, { callTool }) => callTool({ tool: "ask", params: {}, key: "one" }),
  }),
]

const telling = (more = "") =>
  `stages: [{ id: a, uses: tell, model: vendor/any${more} }]\noutputs: { said: "\${{ stages.a.output }}" }`

const loaded = (body: string, { components }: ReturnType<typeof world>) =>
  workflowOf(body, { ...components, stages })

const figuresOf = (body: string, given: ReturnType<typeof world>, options: RunOptions = {}) =>
  Effect.gen(function* () {
    const { events, result } = yield* collect(yield* pipelineOf(body, given), {}, options)
    return {
      said: result.outputs?.["said"],
      failure: result.failure?.class,
      calls: events.flatMap(({ type }) => (type.endsWith("Called") ? [type] : [])),
    }
  })

const pipelineOf = (body: string, given: ReturnType<typeof world>) =>
  Effect.map(loaded(body, given), ({ pipeline }) => pipeline)

/** Runs it until its tool was called. */
const killed = (pipeline: Pipeline, options: RunOptions) =>
  Effect.gen(function* () {
    stopped = yield* Deferred.make<void>()
    const fiber = yield* Effect.forkChild(run(pipeline, {}, options))
    yield* Deferred.await(stopped)
    yield* Fiber.interrupt(fiber)
    stopped = undefined
  })

describe("the model of a tool", () => {
  it.effect("answers as that of its stage, without the stage's prompt, and its calls count", () =>
    Effect.gen(function* () {
      const given = world()
      const { calls, said } = yield* figuresOf(telling(), given)
      assert.deepStrictEqual(said, ["reply 1", "reply 2"])
      assert.deepStrictEqual(calls, ["ModelCalled", "ToolCalled", "ModelCalled"])
      const limited = yield* figuresOf(telling(", budget: { model_calls: 1 }"), world())
      assert.deepStrictEqual(
        [limited.failure, limited.calls],
        ["budget", ["ModelCalled", "ToolCalled"]],
      )
    }),
  )

  it.effect("is undefined in a stage without one", () =>
    Effect.gen(function* () {
      const body = `stages: [{ id: a, uses: call }]\noutputs: { said: "\${{ stages.a.output }}" }`
      assert.strictEqual((yield* figuresOf(body, world())).said, "no model")
    }),
  )

  it.effect("is not asked again when the call of its tool is replayed, and counts as before", () =>
    Effect.gen(function* () {
      for (const [more, outcome] of [
        ["", ["reply 1", "reply 2"]],
        [", budget: { model_calls: 1 }", "budget"],
      ] as const) {
        const given = world()
        const recording = emptyRecording()
        const options = () => ({ run: "one", journal: recordingJournal(recording) })
        yield* killed(yield* pipelineOf(telling(more), given), options())
        const { calls, failure, said } = yield* figuresOf(telling(more), given, options())
        assert.deepStrictEqual(said ?? failure, outcome)
        const asked = more === "" ? 2 : 1
        assert.deepStrictEqual([given.seen.tool, given.seen.prompts.length], [1, asked])
        assert.lengthOf(
          calls.filter((type) => type === "ModelCalled"),
          asked,
        )
      }
    }),
  )
})
