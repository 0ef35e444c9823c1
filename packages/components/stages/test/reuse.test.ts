/** Which calls of a run answer those of `call` and `agent`: those of earlier attempts, unless stage or tool says `reuse`. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { run } from "@planloom/core"
import { load } from "@planloom/embed"
import {
  definePlugin,
  ModelFailed,
  stageKind,
  ToolFailed,
  type FailureClass,
  type JsonObject,
  type RunEvent,
  type Tool,
  type ToolCall,
  type ToolResult,
  type ToolSource,
} from "@planloom/plugin/effect"
import stages from "../src/index.ts"

interface World {
  readonly tool?: Partial<Tool>
  /** Failures of the calls, in order. */
  readonly failures?: ReadonlyArray<FailureClass | undefined>
  /** Turns of the model: calls of the tool with these params, a failure, or an answer. */
  readonly turns?: ReadonlyArray<JsonObject | "fail" | "answer">
}

/** Runs the stages; the tool `count` gives the number of its call, `other` belongs to the same source and writes. */
const runOf = (yaml: string, { failures = [], tool = {}, turns = [] }: World = {}) =>
  Effect.gen(function* () {
    let made = 0
    let asked = 0
    const source: ToolSource = {
      id: "tools",
      summary: "Tools.",
      list: Effect.succeed({
        tools: [{ effect: "read" as const, ...tool, name: "count" }, { name: "other" }].map(
          (one) => ({
            summary: "Counts.",
            capabilities: [],
            inputs: {},
            outputs: [],
            params: { type: "object" },
            ...one,
          }),
        ),
      }),
      call: ({ tool: name }) =>
        Effect.suspend((): Effect.Effect<ToolResult, ToolFailed> => {
          if (name === "other") return Effect.succeed({ value: "done" })
          const failure = failures[made]
          made++
          return failure === undefined
            ? Effect.succeed({ value: made })
            : Effect.fail(new ToolFailed({ tool: name, class: failure, message: "no" }))
        }),
    }
    const plugin = definePlugin({
      id: "test",
      summary: "Test.",
      components: {
        tools: [source],
        stages: [
          stageKind<JsonObject>({
            id: "breaks",
            summary: "Calls the tool, and fails in its first attempt.",
            input: { type: "object", additionalProperties: true },
            output: true,
            run: (_, { attempt, callTool }) =>
              Effect.gen(function* () {
                const first = yield* callTool({ tool: "count", params: {}, key: "1" })
                if (attempt === 1) {
                  return yield* new ToolFailed({ tool: "x", class: "timeout", message: "late" })
                }
                return [first, yield* callTool({ tool: "count", params: {}, key: "2" })]
              }),
          }),
        ],
        providers: [
          {
            id: "scripted",
            summary: "Plays a script.",
            generate: () =>
              Effect.suspend(() => {
                const turn = turns[asked++] ?? "answer"
                if (turn === "fail") {
                  return Effect.fail(
                    new ModelFailed({
                      class: "invalid_output",
                      message: "no",
                      model: "scripted/one",
                    }),
                  )
                }
                const toolCalls: ReadonlyArray<ToolCall> =
                  turn === "answer" ? [] : [{ id: "1", name: "count", arguments: turn }]
                return Effect.succeed({
                  text: "",
                  reasoning: "",
                  toolCalls,
                  finish: turn === "answer" ? ("stop" as const) : ("tool_calls" as const),
                  usage: { input: 1, output: 1 },
                })
              }),
          },
        ],
      },
    })
    const path = join(mkdtempSync(join(tmpdir(), "planloom-reuse-")), "w.yaml")
    writeFileSync(
      path,
      `apiVersion: planloom/v1
kind: Workflow
name: reuse
policies:
  retry: { again: { max_retries: 1, delay: 0s, jitter: false, on: [timeout, unavailable, tool_error, invalid_output] } }
stages:
${yaml}
`,
    )
    const events: Array<RunEvent> = []
    yield* Effect.exit(
      Effect.scoped(
        Effect.flatMap(load(path, { extraPlugins: [stages, plugin] }), ({ pipeline }) =>
          run(pipeline, {}, { onEvent: (event) => events.push(event) }),
        ),
      ),
    )
    const calls = events.flatMap((event) => (event.type === "ToolCalled" ? [event] : []))
    const outputs = events.flatMap((event) =>
      event.type === "StageFinished" ? [event.output] : [],
    )
    return {
      made,
      from: calls.map(({ from, tool: name }) => (name === "other" ? name : (from ?? "called"))),
      identities: new Set(calls.map(({ identity }) => identity)),
      outputs,
      failure: events.findLast((event) => event.type === "StageFailed")?.failure,
    }
  })

const twice = (more = "") => `
  - { id: a, uses: call, with: { tool: count } }
  - { id: b, uses: call, with: { tool: count${more} } }
`

describe("a call", () => {
  it.effect("is made by each stage, with one identity", () =>
    Effect.gen(function* () {
      const { from, identities, outputs } = yield* runOf(twice())
      assert.deepStrictEqual(outputs, [1, 2])
      assert.deepStrictEqual(from, ["called", "called"])
      assert.strictEqual(identities.size, 1)
    }),
  )

  it.effect("is answered by that of another stage if its stage or tool says so", () =>
    Effect.gen(function* () {
      const byStage = yield* runOf(twice(", reuse: run"))
      const byTool = yield* runOf(twice(), { tool: { reuse: "run" } })
      for (const { from, made, outputs } of [byStage, byTool]) {
        assert.deepStrictEqual(outputs, [1, 1])
        assert.deepStrictEqual(from, ["called", "made"])
        assert.strictEqual(made, 1)
      }
    }),
  )

  it.effect("is made if its tool says never, or after a write of its source", () =>
    Effect.gen(function* () {
      const never = yield* runOf(twice(", reuse: run"), { tool: { reuse: "never" } })
      assert.deepStrictEqual(never.from, ["called", "called"])
      const written = yield* runOf(`
  - { id: a, uses: call, with: { tool: count } }
  - { id: w, uses: call, with: { tool: other } }
  - { id: b, uses: call, with: { tool: count, reuse: run } }
`)
      assert.deepStrictEqual(written.from, ["called", "other", "called"])
    }),
  )

  it.effect("of a retry is answered once by that of the attempt before", () =>
    Effect.gen(function* () {
      const { from, outputs } = yield* runOf("  - { id: a, uses: breaks, retry: again }")
      assert.deepStrictEqual(from, ["called", "made", "called"])
      assert.deepStrictEqual(outputs, [[1, 2]])
    }),
  )

  const retried = "  - { id: a, uses: call, retry: again, with: { tool: count } }"

  it.effect("that reads is made again by a retry for its failure", () =>
    Effect.gen(function* () {
      for (const failure of ["unavailable", "tool_error"] as const) {
        const { from, outputs } = yield* runOf(retried, { failures: [failure] })
        assert.deepStrictEqual(from, ["called", "called"])
        assert.deepStrictEqual(outputs, [2])
      }
    }),
  )

  it.effect("that writes is not made again, unless it is idempotent", () =>
    Effect.gen(function* () {
      const tool = { effect: "write" } as const
      const failures = ["unavailable"] as const
      const { failure, from, made } = yield* runOf(retried, { tool, failures })
      assert.deepStrictEqual(from, ["called", "made"])
      assert.strictEqual(made, 1)
      assert.deepInclude(failure, {
        class: "unavailable",
        message: "no (a call that changes something is not repeated)",
      })
      const again = yield* runOf(retried, { tool: { ...tool, idempotent: true }, failures })
      assert.deepStrictEqual(again.outputs, [2])
    }),
  )
})

describe("the calls of an agent", () => {
  const agent = (more: string) =>
    `  - { id: a, uses: agent, model: scripted/one, retry: again, with: { task: Count., tools: [count], repeat_calls: true, auto_approve: [count]${more} } }`

  it.effect("are repeated by its model, and answered in a retry in their order", () =>
    Effect.gen(function* () {
      const turns = [{}, {}, "fail", {}, {}, {}, "answer"] as const
      const { from } = yield* runOf(agent(""), { turns, tool: { effect: "write" } })
      assert.deepStrictEqual(from, ["called", "called", "made", "made", "called"])
    }),
  )

  it.effect("are answered by those of the run with `reuse: run`", () =>
    Effect.gen(function* () {
      const { from } = yield* runOf(agent(", reuse: run"), { turns: [{}, { x: 1 }, {}, "answer"] })
      assert.deepStrictEqual(from, ["called", "called", "made"])
    }),
  )
})
