import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import {
  ModelFailed,
  StageFailed,
  ToolFailed,
  stageKind,
  type Json,
  type Provider,
  type RunEvent,
  type Tool,
  type ToolSource,
  type ToolResult,
} from "@planloom/plugin/effect"
import { emptyRecording, recordingJournal, resultOf } from "@planloom/core"
import { collect } from "../../../core/test/collect.ts"
import { workflowOf } from "../../../core/test/inline.ts"
import { cases } from "../../../../../.config/cases.ts"

const tool: Tool = {
  name: "dice",
  summary: "A random number.",
  capabilities: [],
  inputs: {},
  params: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
  outputs: ["number"],
}

/** Counts every effect that really happens. */
const world = () => {
  const calls = { count: 0 }
  const source: ToolSource = {
    id: "dice",
    summary: "Random.",
    list: Effect.succeed({ tools: [tool] }),
    call: ({ params }) =>
      Effect.suspend((): Effect.Effect<ToolResult, ToolFailed> => {
        calls.count++
        return Number(params["n"]) % 5 === 4
          ? Effect.fail(new ToolFailed({ tool: "dice", class: "tool_error", message: "unlucky" }))
          : Effect.succeed({ value: Math.random() })
      }),
  }
  const kind = stageKind<{ readonly n: number }>({
    id: "gamble",
    summary: "Uses the tool, the clock, chance and ids.",
    input: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
    output: { type: "object" },
    run: ({ n }, context) =>
      Effect.gen(function* () {
        const drawn = yield* context.callTool({ tool: "dice", params: { n }, key: "draw" })
        const random = yield* context.random
        const id = yield* context.id
        const now = yield* context.now
        const own = yield* context.step(
          "own",
          Effect.sync(() => {
            calls.count++
            return Math.random()
          }),
        )
        if (n % 7 === 6) {
          return yield* new StageFailed({ class: "unavailable", message: `no ${n}` })
        }
        return { drawn, random, id, now, own }
      }),
  })
  return { calls, source, kind }
}

const body = (
  stages: ReadonlyArray<{ readonly list: ReadonlyArray<number>; readonly parallel: number }>,
) => `
policies: { retry: { again: { max_retries: 1, delay: 0ms, jitter: true, on: [unavailable] } } }
stages:
${stages
  .map(
    ({ list, parallel }, index) =>
      `  - { id: s${index}, uses: gamble, retry: again, on_error: continue, for_each: { in: "[${list.join(", ")}]", as: n, max_parallel: ${parallel} }, with: { n: "\${{ n }}" } }`,
  )
  .join("\n")}
outputs:
${stages.map((_, index) => `  o${index}: "\${{ has(stages.s${index}.output) ? stages.s${index}.output : [] }}"`).join("\n")}
`

const anyStages = fc.array(
  fc.record({
    list: fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 6 }),
    parallel: fc.integer({ min: 1, max: 4 }),
  }),
  { minLength: 1, maxLength: 4 },
)

const withoutTimes = (events: ReadonlyArray<RunEvent>) =>
  events.map((event) => ({ ...event, at: 0, ...("ms" in event ? { ms: 0 } : {}) }))

describe("a replayed run", () => {
  it.live("yields the recorded result when its events are folded, for generated workflows", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(anyStages, async (stages) => {
          const { kind, source } = world()
          const { events, result } = await Effect.runPromise(
            Effect.scoped(
              Effect.flatMap(
                workflowOf(body(stages), { stages: [kind], tools: [source] }),
                ({ pipeline }) => collect(pipeline),
              ),
            ),
          )
          const through = JSON.parse(JSON.stringify(events)) as ReadonlyArray<RunEvent>
          assert.deepStrictEqual(resultOf(through), JSON.parse(JSON.stringify(result)))
        }),
        { numRuns: cases(30) },
      ),
    ),
  )

  it.live("returns the same result from its record without calling anything again", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(anyStages, async (stages) => {
          const { calls, kind, source } = world()
          await Effect.runPromise(
            Effect.scoped(
              Effect.gen(function* () {
                const { pipeline } = yield* workflowOf(body(stages), {
                  stages: [kind],
                  tools: [source],
                })
                const recording = emptyRecording()
                const journal = recordingJournal(recording)
                const first = yield* collect(pipeline, {}, { journal, run: "r" })
                const happened = calls.count
                const second = yield* collect(pipeline, {}, { journal, run: "r" })
                assert.strictEqual(calls.count, happened)
                assert.deepStrictEqual(second.result.outputs, first.result.outputs)
                assert.strictEqual(second.result.status, first.result.status)
                assert.deepStrictEqual(outcomes(second.events), outcomes(first.events))
              }),
            ),
          )
        }),
        { numRuns: cases(30) },
      ),
    ),
  )

  it.effect("keeps the recorded calls of two strategies apart", () =>
    Effect.gen(function* () {
      const asked: Array<Json> = []
      const source: ToolSource = {
        id: "dice",
        summary: "Gives back its number.",
        list: Effect.succeed({ tools: [tool] }),
        call: ({ params }) =>
          Effect.sync(() => {
            asked.push(params["n"]!)
            return { value: params["n"]! }
          }),
      }
      const refusing: Provider = {
        id: "refusing",
        summary: "Is never there.",
        generate: () =>
          Effect.fail(
            new ModelFailed({ class: "unavailable", model: "refusing/any", message: "no" }),
          ),
      }
      const both = stageKind<object>({
        id: "both",
        summary: "Calls one tool either way, under one key.",
        input: { type: "object" },
        output: { type: "integer" },
        model: (_, context) =>
          Effect.gen(function* () {
            const drawn = yield* context.callTool({ tool: "dice", params: { n: 1 }, key: "draw" })
            yield* context.model.text({ messages: [] })
            return drawn
          }),
        mechanical: (_, context) =>
          context.callTool({ tool: "dice", params: { n: 2 }, key: "draw" }),
      })
      const { pipeline } = yield* workflowOf(
        `
models: { planner: { try: [refusing/any], otherwise: mechanical } }
stages: [{ id: a, uses: both, model: planner }]
outputs: { a: "\${{ stages.a.output }}" }
`,
        { stages: [both], tools: [source], providers: [refusing] },
      )
      const journal = recordingJournal(emptyRecording())
      const { result } = yield* collect(pipeline, {}, { journal, run: "r" })
      assert.deepStrictEqual(result.outputs, { a: 2 })
      assert.deepStrictEqual(asked, [1, 2])
    }),
  )

  it.live("resumes from half a record without repeating recorded steps", () =>
    Effect.gen(function* () {
      const { calls, kind, source } = world()
      const { pipeline } = yield* workflowOf(body([{ list: [0, 1, 2, 3], parallel: 1 }]), {
        stages: [kind],
        tools: [source],
      })
      const recording = emptyRecording()
      const journal = recordingJournal(recording)
      const first = yield* collect(pipeline, {}, { journal, run: "r" })
      for (const name of Array.from(recording.steps.keys())) {
        if (name.startsWith("s0[2]/attempt") || name.startsWith("s0[3]")) {
          recording.steps.delete(name)
        }
      }
      const before = calls.count
      const second = yield* collect(pipeline, {}, { journal, run: "r" })
      assert.strictEqual(calls.count - before, 2)
      const [a, b] = [first, second].map(({ result }) =>
        (result.outputs["o0"] as ReadonlyArray<Json>).slice(0, 3),
      )
      assert.deepStrictEqual(a, b)
    }),
  )
})

/** The events of both runs, in a fixed order, without times: parallel stages may end in another order. */
const outcomes = (events: ReadonlyArray<RunEvent>) =>
  withoutTimes(events)
    .filter(({ type }) => type === "StageFinished" || type === "StageFailed")
    .map(({ seq: _, ...event }) => JSON.stringify(event))
    .toSorted()

describe("a retried stage", () => {
  /** `flaky` fails the first time it is really called, and works afterwards. */
  const setting = Effect.fnUntraced(function* (outer: (path: string) => string) {
    const happened: Array<string> = []
    const source: ToolSource = {
      id: "tools",
      summary: "Tools.",
      list: Effect.succeed({ tools: [{ ...tool, name: "flaky", params: true }] }),
      call: ({ key }) =>
        Effect.suspend((): Effect.Effect<ToolResult, ToolFailed> => {
          happened.push(key)
          return happened.length === 1
            ? Effect.fail(
                new ToolFailed({ tool: "flaky", class: "unavailable", message: "not yet" }),
              )
            : Effect.succeed({ value: "done" })
        }),
    }
    const calls = stageKind<object>({
      id: "calls",
      summary: "Calls the tool.",
      input: { type: "object" },
      output: true,
      run: (_, context) => context.callTool({ tool: "flaky", params: {}, key: "it" }),
    })
    const nest = stageKind<{ readonly path: string }>({
      id: "nest",
      summary: "Runs a workflow.",
      input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      output: true,
      refers: ({ path }) => [{ to: "workflow", id: String(path), at: ["path"] }],
      run: ({ path }, context) => context.workflow(path, {}),
    })
    const components = { stages: [calls, nest], tools: [source] }
    const inner = yield* workflowOf(
      `stages: [{ id: deep, uses: calls, with: {} }]\noutputs: { said: "\${{ stages.deep.output }}" }\n`,
      components,
    )
    const path = [...inner.sources.keys()][0]!
    const { pipeline } = yield* workflowOf(
      `
policies: { retry: { again: { max_retries: 1, delay: 0ms, on: [unavailable] } } }
stages:
  - ${outer(path)}
outputs: { all: "\${{ stages.outer.output }}" }
`,
      components,
    )
    return { happened, pipeline }
  })

  const ways: ReadonlyArray<readonly [string, (path: string) => string]> = [
    [
      "a nested workflow",
      (path) => `{ id: outer, uses: nest, retry: again, with: { path: ${path} } }`,
    ],
    [
      "nested workflows of a list",
      (path) =>
        `{ id: outer, uses: nest, retry: again, for_each: { in: "[1, 2]", as: n }, with: { path: ${path} } }`,
    ],
    ["a block", () => `{ id: outer, retry: again, stages: [{ id: deep, uses: calls, with: {} }] }`],
    [
      "iterations",
      () =>
        `{ id: outer, retry: again, repeat: { until: "iter.index == 1", next: {}, max_iterations: 3 }, stages: [{ id: deep, uses: calls, with: {} }] }`,
    ],
    [
      "blocks of a list",
      () =>
        `{ id: outer, retry: again, for_each: { in: "[1, 2]", as: n }, stages: [{ id: deep, uses: calls, with: {} }] }`,
    ],
  ]
  for (const [what, outer] of ways) {
    it.effect(`repeats ${what} in the new attempt, and answers it from the record on resume`, () =>
      Effect.gen(function* () {
        const unrecorded = yield* setting(outer)
        const plain = yield* collect(unrecorded.pipeline)
        assert.strictEqual(plain.result.status, "succeeded", plain.result.failure?.message)
        const recorded = yield* setting(outer)
        const recording = emptyRecording()
        const journal = recordingJournal(recording)
        const first = yield* collect(recorded.pipeline, {}, { journal })
        assert.deepStrictEqual(first.result.outputs, plain.result.outputs)
        assert.deepStrictEqual(recorded.happened.length, unrecorded.happened.length)
        assert.strictEqual(new Set(recorded.happened).size, recorded.happened.length)
        // What is told of one attempt must not be taken for what is told of another.
        const begun = first.events.flatMap((event) =>
          event.type === "StageStarted" ? [event.path] : [],
        )
        assert.strictEqual(new Set(begun).size, begun.length)
        const again = yield* collect(recorded.pipeline, {}, { journal })
        assert.deepStrictEqual(again.result.outputs, plain.result.outputs)
        assert.deepStrictEqual(recorded.happened.length, unrecorded.happened.length)
      }),
    )
  }
})

describe("work interrupted by a failure beside or around it", () => {
  const ways: ReadonlyArray<readonly [string, string]> = [
    [
      "the time limit of a block",
      `{ id: outer, timeout: 10ms, on_error: continue, stages: [{ id: inner, uses: waits, with: {} }] }`,
    ],
    [
      "a stage beside it",
      `{ id: outer, on_error: continue, stages: [{ id: inner, uses: waits, with: {} }, { id: bad, uses: fails, needs: [], with: {} }] }`,
    ],
    [
      "another item",
      `{ id: outer, on_error: continue, stages: [{ id: inner, uses: either, for_each: { in: "[0, 1]", as: n, max_parallel: 2 }, with: { n: "\${{ n }}" } }] }`,
    ],
  ]
  for (const [what, outer] of ways) {
    it.effect(`(${what}) is not started again, and the run continues from the failure`, () =>
      Effect.gen(function* () {
        const begun: Array<string> = []
        const waits = (path: string) =>
          Effect.andThen(
            Effect.sync(() => void begun.push(path)),
            Effect.never,
          )
        const bad = Effect.fail(new StageFailed({ class: "unavailable", message: "no" }))
        const { pipeline } = yield* workflowOf(
          `
stages:
  - { id: first, uses: echo, with: { value: 1 } }
  - ${outer}
  - { id: after, uses: echo, with: { value: "\${{ stages.outer.outcome }}" } }
outputs: { said: "\${{ stages.after.output }}" }
`,
          {
            stages: [
              stageKind({
                id: "waits",
                summary: "Waits.",
                input: { type: "object", additionalProperties: true },
                output: true,
                run: (_, { path }) => waits(path),
              }),
              stageKind({
                id: "fails",
                summary: "Fails.",
                input: { type: "object", additionalProperties: true },
                output: true,
                run: () => Effect.andThen(Effect.yieldNow, bad),
              }),
              stageKind<{ readonly n: number }>({
                id: "either",
                summary: "Waits or fails.",
                input: { type: "object", additionalProperties: true },
                output: true,
                run: ({ n }, { path }) =>
                  n === 0 ? waits(path) : Effect.andThen(Effect.yieldNow, bad),
              }),
            ],
          },
        )
        const journal = recordingJournal(emptyRecording())
        const first = yield* Effect.forkChild(collect(pipeline, {}, { journal, run: "r" }))
        yield* TestClock.adjust(10)
        const said = { said: "failure" }
        assert.deepStrictEqual((yield* Fiber.join(first)).result.outputs, said)
        assert.strictEqual(begun.length, 1)
        // Without the time that the first try took: nothing waits any more.
        const again = yield* collect(pipeline, {}, { journal, run: "r" })
        assert.deepStrictEqual(again.result.outputs, said)
        assert.strictEqual(begun.length, 1)
      }),
    )
  }
})
