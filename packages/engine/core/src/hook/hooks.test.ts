/** Hooks of a run: what they change, in which order they run, and what becomes of their failures. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import {
  hook,
  StageFailed,
  stageKind,
  type AnyHook,
  type Json,
  type JsonObject,
  type PointId,
  type RunEvent,
  type ToolSource,
  type CallRecord,
} from "@planloom/plugin/effect"
import { collect } from "../../test/collect.ts"
import { hookedWorkflow } from "../../test/hooked.ts"
import { emptyRecording, recordingJournal } from "../run/journal/journals.ts"

type HookRan = Extract<RunEvent, { readonly type: "HookRan" }>

const ran = (events: ReadonlyArray<RunEvent>): ReadonlyArray<HookRan> =>
  events.filter((event) => event.type === "HookRan")

/** Calls a tool with its `with` and gives back the result. */
const call = stageKind<JsonObject>({
  id: "call",
  summary: "Calls the tool `repeat`.",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  output: true,
  run: (params, context) => context.callTool({ tool: "repeat", params, key: "one" }),
})

/** The params that a tool was called with. */
const world = (more: { readonly needs_approval?: boolean } = {}) => {
  const called: Array<JsonObject> = []
  const source: ToolSource = {
    id: "tools",
    summary: "Tools.",
    list: Effect.succeed({
      tools: [
        {
          name: "repeat",
          summary: "Repeats.",
          capabilities: [],
          inputs: {},
          params: {
            type: "object",
            properties: { text: { type: "string" } },
            required: ["text"],
            additionalProperties: false,
          },
          outputs: ["text"],
          ...more,
        },
      ],
    }),
    call: ({ params }) =>
      Effect.sync(() => {
        called.push(params)
        return { value: `${params["text"] as string}!` }
      }),
  }
  return { called, components: { stages: [call], tools: [source] } }
}

const body = (hooks: string, stage = "") => `
hooks: [${hooks}]
stages:
  - { id: work, uses: call, with: { text: hello }${stage} }
outputs: { said: "\${{ stages.work.output }}" }
`

/** Adds its `with.add`, or its id, to the text of its point. */
const adds = (id: string, point: PointId, more: Partial<AnyHook> = {}): AnyHook =>
  hook({
    id,
    summary: `Adds ${id}.`,
    point,
    kind: "transform",
    input: { type: "object", properties: { add: { type: "string" } } },
    run: (draft: never, { with: { add = id } }: { readonly with: JsonObject }) => {
      const { output, params, result, text, with: options } = draft as { [field: string]: Json }
      const longer = (value: Json | undefined) => `${value as string}+${add as string}`
      switch (point) {
        case "before_stage":
          return { with: { text: longer((options as JsonObject)["text"]) } }
        case "before_tool":
          return { params: { text: longer((params as JsonObject)["text"]) } }
        case "after_tool":
          return { result: longer(result) }
        case "after_stage":
          return { output: longer(output) }
        default:
          return { text: longer(text) }
      }
    },
    ...more,
  } as never)

const points = [
  "before_stage",
  "before_tool",
  "after_tool",
  "after_stage",
  "before_response",
] as const

describe("hooks", () => {
  it.effect("change params, results, outputs and the response, each at its point", () =>
    Effect.gen(function* () {
      const { called, components } = world()
      const seen: Array<JsonObject> = []
      const ends = hook<"run_finished">({
        id: "ends",
        summary: "Sees the end.",
        point: "run_finished",
        kind: "observe",
        run: (draft) => void seen.push(draft as unknown as JsonObject),
      })
      const hooks = [...points.map((point) => adds(point, point)), ends]
      const { pipeline } = yield* hookedWorkflow(
        body(hooks.map(({ id }) => `{ use: ${id} }`).join(", ")),
        hooks,
        components,
      )
      const { events, result } = yield* collect(pipeline, {})
      assert.deepStrictEqual(called, [{ text: "hello+before_stage+before_tool" }])
      const said = "hello+before_stage+before_tool!+after_tool+after_stage+before_response"
      assert.deepStrictEqual(result.outputs, { said })
      assert.deepStrictEqual(
        ran(events).map(({ changed, hook: id, of, path, point }) => [id, point, path, of, changed]),
        [
          ["before_stage", "before_stage", "work", undefined, ["with"]],
          ["before_tool", "before_tool", "work", "repeat", ["params"]],
          ["after_tool", "after_tool", "work", "repeat", ["result"]],
          ["after_stage", "after_stage", "work", undefined, ["output"]],
          ["before_response", "before_response", "", "said", ["text"]],
        ],
      )
      assert.deepStrictEqual(seen, [{ status: "succeeded", outputs: { said }, degraded: false }])
    }),
  )

  it.effect("run by phase, then as declared, then by priority, then by id", () =>
    Effect.gen(function* () {
      const { components } = world()
      const hooks = [
        adds("late", "after_stage", { phase: "late", priority: 1 }),
        adds("c", "after_stage"),
        adds("b", "after_stage", { priority: 200 }),
        adds("a", "after_stage", { after: ["b"] }),
        adds("first", "after_stage", { phase: "early", priority: 900 }),
        adds("d", "after_stage", { before: ["c", "absent_here"] }),
        adds("absent_here", "before_stage"),
      ]
      const used = hooks.slice(0, -1).map(({ id }) => `{ use: ${id} }`)
      const { pipeline } = yield* hookedWorkflow(body(used.join(", ")), hooks, components)
      const { result } = yield* collect(pipeline, {})
      assert.deepStrictEqual(result.outputs, { said: "hello!+first+d+c+b+a+late" })
    }),
  )

  it.effect("are reported with the time that each of them took", () =>
    Effect.gen(function* () {
      const { components } = world()
      const doubtful = { verdict: "flag", confidence: 1, reason: "doubtful" } as const
      const slow = (id: string, ms: number) =>
        hook<"after_stage">({
          id,
          summary: "Doubts.",
          point: "after_stage",
          kind: "review",
          run: () => Effect.as(Effect.sleep(ms), doubtful),
        })
      const hooks = [
        hook<"after_stage">({
          id: "adds",
          summary: "Adds.",
          point: "after_stage",
          kind: "transform",
          run: ({ output }) => Effect.as(Effect.sleep(100), { output: `${output as string}+` }),
        }),
        slow("long", 400),
        slow("short", 30),
        hook<"after_stage">({
          id: "sync",
          summary: "Doubts.",
          point: "after_stage",
          kind: "review",
          run: () => doubtful,
        }),
      ]
      const used = hooks.map(({ id }) => `{ use: ${id} }`).join(", ")
      const { pipeline } = yield* hookedWorkflow(body(used), hooks, components)
      const running = yield* Effect.forkChild(collect(pipeline, {}))
      yield* TestClock.adjust(1000)
      const { events } = yield* Fiber.join(running)
      assert.deepStrictEqual(
        ran(events).map(({ hook: id, ms }) => [id, ms]),
        [
          ["adds", 100],
          ["long", 400],
          ["short", 30],
          ["sync", 0],
        ],
      )
    }),
  )

  it.effect(
    "of a stage run beside those of the workflow, with options and conditions of the call",
    () =>
      Effect.gen(function* () {
        const { components } = world()
        const { pipeline } = yield* hookedWorkflow(
          `
inputs: { name: { type: string } }
hooks: [{ use: all, when: "draft.output.contains('two')" }]
stages:
  - { id: one, uses: echo, with: { value: one }, hooks: [{ use: own, with: { add: "\${{ inputs.name + draft.uses }}" } }] }
  - { id: two, uses: echo, with: { value: two } }
outputs: { both: "\${{ stages.one.output + ' ' + stages.two.output }}" }
`,
          [adds("all", "after_stage"), adds("own", "after_stage")],
          components,
        )
        const { result } = yield* collect(pipeline, { name: "Ada" })
        assert.deepStrictEqual(result.outputs, { both: "one+Adaecho two+all" })
      }),
  )

  it.effect("see the run, its calls and the time, and keep values between calls", () =>
    Effect.gen(function* () {
      const { components } = world()
      const seen: Array<unknown> = []
      const looks = hook<"after_stage">({
        id: "looks",
        summary: "Looks around.",
        point: "after_stage",
        kind: "transform",
        run: (_, { calls, collection, now, path, run, stage, user }) =>
          Effect.gen(function* () {
            seen.push({ calls, now, path, run, stage, user })
            const counts = collection("counts of a test")
            yield* counts.put("looks", 1)
            return { output: (yield* counts.get("looks"))!.value }
          }) as never,
      })
      const { pipeline } = yield* hookedWorkflow(body("{ use: looks }"), [looks], components)
      const { result } = yield* collect(pipeline, {}, { run: "r" })
      assert.deepStrictEqual(result.outputs, { said: 1 })
      const [made] = (seen as ReadonlyArray<{ readonly calls: ReadonlyArray<CallRecord> }>)[0]!
        .calls
      assert.match(made!.identity!, /^[0-9a-f]{32}$/)
      assert.deepStrictEqual(seen, [
        {
          calls: [
            {
              identity: made!.identity,
              tool: "repeat",
              params: { text: "hello" },
              key: "one",
              path: "work",
              ok: true,
              summary: "hello!",
              result: "hello!",
            },
          ],
          now: 0,
          path: "work",
          run: "r",
          stage: "work",
          user: {},
        },
      ])
    }),
  )

  it.effect("of which one blocks fail the call, after all of them have ended", () =>
    Effect.gen(function* () {
      const { called, components } = world()
      const reviews = (id: string, verdict: "block" | "flag" | "pass", reason: string) =>
        hook<"before_tool">({
          id,
          summary: "Reviews.",
          point: "before_tool",
          kind: "review",
          run: () => Effect.as(Effect.yieldNow, { verdict, confidence: 1, reason }),
        })
      const { pipeline } = yield* hookedWorkflow(
        body("{ use: a }, { use: b }, { use: c }"),
        [
          reviews("a", "pass", ""),
          reviews("b", "block", "no greetings"),
          reviews("c", "flag", "odd"),
        ],
        components,
      )
      const { events, result } = yield* collect(pipeline, {})
      assert.deepStrictEqual(called, [])
      assert.strictEqual(result.failure?.class, "blocked")
      assert.strictEqual(
        result.failure?.message,
        'blocked by the hook "b" at before_tool: no greetings',
      )
      assert.deepStrictEqual(
        ran(events).map(({ finding, hook: id }) => [id, finding?.verdict]),
        [
          ["b", "block"],
          ["c", "flag"],
        ],
      )
    }),
  )
})

const foreign: { readonly [point in PointId]?: JsonObject } = {
  before_stage: { with: { text: "x" }, uses: "other" },
  before_tool: { params: { text: "x" }, tool: "other" },
  after_tool: { result: "x", call: {} },
  after_stage: { output: "x", uses: "other" },
  before_response: { text: "x", output: "other" },
}
const wrong: { readonly [point in PointId]?: JsonObject } = {
  before_stage: { with: "x" },
  before_tool: { params: [] },
  after_tool: { result: NaN },
  after_stage: { output: { made: Infinity } },
  before_response: { text: 1 },
}

const faults: { readonly [fault: string]: (point: PointId) => unknown } = {
  throws: () => {
    throw new Error("boom")
  },
  fails: () => Effect.fail(new StageFailed({ class: "unavailable", message: "gone" })),
  dies: () => Effect.die(new Error("boom")),
  "takes too long": () => Effect.never,
  "interrupts itself": () => Effect.andThen(Effect.yieldNow, Effect.interrupt),
  "returns no patch": () => "x",
  "returns a Promise": () => Promise.resolve({}),
  "returns a foreign field": (point) => foreign[point],
  "returns a field of another type": (point) => wrong[point],
}

/** The cause of any other fault is `malformed`. */
const causes: { readonly [fault: string]: string } = {
  throws: "threw",
  fails: "failed",
  dies: "threw",
  "takes too long": "timeout",
  "interrupts itself": "interrupted",
}

describe("a hook that", () => {
  for (const [name, fault] of Object.entries(faults)) {
    it.effect.each(points)(
      `${name} at %s changes nothing, and is skipped or fails the call`,
      (point) =>
        Effect.gen(function* () {
          const bad = hook({
            id: "bad",
            summary: "Is bad.",
            point,
            kind: "transform",
            timeout: "2s",
            run: () => fault(point) as never,
          } as never)
          for (const onError of ["skip", "fail"] as const) {
            const { components } = world()
            const { pipeline } = yield* hookedWorkflow(
              body(`{ use: bad, on_error: ${onError} }, { use: good }`),
              [bad, adds("good", point)],
              components,
            )
            const fiber = yield* Effect.forkChild(collect(pipeline, {}))
            yield* TestClock.adjust("3 seconds")
            const { events, result } = yield* Fiber.join(fiber)
            const [event] = ran(events)
            const { hook: id, of: _, skipped = false } = event!
            assert.deepStrictEqual({ id, skipped }, { id: "bad", skipped: onError === "skip" })
            assert.include(event!.failure?.message, `the hook "bad" failed at ${point}: `)
            const { cause } = event!.failure!.detail as JsonObject
            assert.strictEqual(cause, causes[name] ?? "malformed")
            if (onError === "skip") {
              assert.strictEqual(result.status, "succeeded", result.failure?.message)
              assert.include(result.outputs["said"] as string, "+good")
              assert.notInclude(JSON.stringify(result.outputs), "x")
              assert.strictEqual(result.degraded.length, 1)
            } else {
              assert.strictEqual(result.status, "failed")
              assert.strictEqual(result.failure?.message, event!.failure?.message)
            }
          }
        }),
    )
  }

  it.effect("throws is named with its stack in the event", () =>
    Effect.gen(function* () {
      const { components } = world()
      const bad = hook<"after_stage">({
        id: "bad",
        summary: "Throws.",
        point: "after_stage",
        kind: "observe",
        run: function inTheHook() {
          throw new Error("boom")
        },
      })
      const { pipeline } = yield* hookedWorkflow(body("{ use: bad }"), [bad], components)
      const { events } = yield* collect(pipeline, {})
      const detail = ran(events)[0]?.failure?.detail as JsonObject
      assert.deepInclude(detail, { hook: "bad", point: "after_stage", cause: "threw" })
      assert.include(detail["stack"], "inTheHook")
    }),
  )

  for (const [name, fault] of Object.entries(faults)) {
    it.effect.each(["skip", "fail"] as const)(
      `${name} at the end of a run is an event; with on_error %s the run ends accordingly`,
      (onError) =>
        Effect.gen(function* () {
          const { components } = world()
          const bad = hook<"run_finished">({
            id: "bad",
            summary: "Is bad.",
            point: "run_finished",
            kind: "review",
            timeout: "2s",
            run: () => (fault("run_finished") ?? "x") as never,
          })
          const { pipeline } = yield* hookedWorkflow(
            body(`{ use: bad, on_error: ${onError} }`),
            [bad],
            components,
          )
          const fiber = yield* Effect.forkChild(collect(pipeline, {}))
          yield* TestClock.adjust("3 seconds")
          const { events, result } = yield* Fiber.join(fiber)
          assert.deepStrictEqual(
            ran(events).map(({ failure, skipped = false }) => [failure !== undefined, skipped]),
            [[true, onError === "skip"]],
          )
          assert.strictEqual(result.status, onError === "skip" ? "succeeded" : "failed")
        }),
    )
  }
})

describe("a recorded run with hooks", () => {
  it.effect("runs none of them again for a call that has a record", () =>
    Effect.gen(function* () {
      const { called, components } = world({ needs_approval: true })
      let runs = 0
      const counts = (point: "before_stage" | "before_tool") =>
        hook({
          id: point,
          summary: "Counts.",
          point,
          kind: "transform",
          run: () => {
            runs++
            const text = `run ${runs}`
            return point === "before_stage" ? { with: { text } } : { params: { text } }
          },
        } as never)
      const { pipeline } = yield* hookedWorkflow(
        body("{ use: before_stage }, { use: before_tool }, { use: before_response }"),
        [counts("before_stage"), counts("before_tool"), adds("before_response", "before_response")],
        components,
      )
      const recording = emptyRecording()
      const go = () => collect(pipeline, {}, { journal: recordingJournal(recording), run: "r" })
      const first = yield* go()
      assert.strictEqual(first.result.status, "suspended")
      const [asked] = first.result.waits
      assert.deepStrictEqual(asked?.fields, [{ name: "text", label: "text", value: "run 2" }])
      recording.answers.set(asked!.name, { value: { approved: true }, by: "person", at: 0 })
      const second = yield* go()
      assert.deepStrictEqual(called, [{ text: "run 2" }])
      assert.deepStrictEqual(second.result.outputs, { said: "run 2!+before_response" })
      assert.deepStrictEqual((yield* go()).result.outputs, second.result.outputs)
      assert.strictEqual(runs, 2)
    }),
  )

  it.effect(
    "asks again about other params than the approved ones, and gives up if they never stay",
    () =>
      Effect.gen(function* () {
        const { called, components } = world({ needs_approval: true })
        let makings = 0
        const changing = stageKind<object>({
          id: "changing",
          summary: "Calls the tool with other params each time.",
          input: { type: "object" },
          output: true,
          run: (_, { callTool }) =>
            Effect.suspend(() =>
              callTool({ tool: "repeat", params: { text: `making ${++makings}` }, key: "one" }),
            ),
        })
        const { pipeline } = yield* hookedWorkflow(`stages: [{ id: work, uses: changing }]`, [], {
          ...components,
          stages: [changing],
        })
        const recording = emptyRecording()
        const go = () => collect(pipeline, {}, { journal: recordingJournal(recording), run: "r" })
        const shown: Array<unknown> = []
        let { result } = yield* go()
        while (result.status === "suspended") {
          const [asked] = result.waits
          shown.push(asked!.fields?.[0]?.value)
          recording.answers.set(asked!.name, { value: { approved: true }, by: "person", at: 0 })
          result = (yield* go()).result
        }
        assert.deepStrictEqual(shown, ["making 1", "making 2", "making 3"])
        assert.strictEqual(result.failure?.class, "cancelled")
        assert.deepStrictEqual(called, [])
      }),
  )

  it.effect("emits an early output as it leaves the run, and ends with the same text", () =>
    Effect.gen(function* () {
      const { components } = world()
      let runs = 0
      const signs = hook<"before_response">({
        id: "signs",
        summary: "Signs.",
        point: "before_response",
        kind: "transform",
        run: ({ text }) => ({ text: `${text} (signed ${++runs})` }),
      })
      const { pipeline } = yield* hookedWorkflow(
        `
hooks: [{ use: signs }]
stages:
  - { id: one, uses: echo, with: { value: one } }
  - { id: two, uses: echo, with: { value: two } }
outputs: { first: { value: "\${{ stages.one.output }}", type: string, early: true } }
`,
        [signs],
        components,
      )
      const { events, result } = yield* collect(pipeline, {})
      const early = events.find((event) => event.type === "OutputReady")
      assert.strictEqual(early?.value, "one (signed 1)")
      assert.deepStrictEqual(result.outputs, { first: "one (signed 1)" })
    }),
  )
})
