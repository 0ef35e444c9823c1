import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { hook, stageKind, type RunEvent } from "@planloom/plugin/effect"
import { collect } from "../../../test/collect.ts"
import { hookedWorkflow } from "../../../test/hooked.ts"
import { workflowOf } from "../../../test/inline.ts"
import { emptyRecording, recordingJournal } from "../journal/journals.ts"
import { memorySessions } from "./memorySessions.ts"
import { run } from "../run.ts"

const counting = `
inputs: { message: { type: string } }
stages:
  - { id: seen, uses: echo, with: { value: { turns: "\${{ session.turns }}", count: "\${{ session.state.count }}", id: "\${{ session.id }}" } } }
session:
  window: 2
  request: "\${{ inputs.message }}"
  assistant: "heard \${{ inputs.message }}"
  state:
    count: { type: integer, default: 0, value: "\${{ session.state.count + 1 }}" }
outputs: { seen: "\${{ stages.seen.output }}" }
`

describe("a run in a session", () => {
  it.effect("sees the turns before it and the state they left, as many as the window keeps", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(counting)
      const sessions = memorySessions()
      const say = (message: string) =>
        Effect.map(
          run(pipeline, { message }, { session: "s", sessions }),
          ({ outputs }) => outputs["seen"],
        )
      assert.deepStrictEqual(yield* say("a"), { turns: [], count: 0, id: "s" })
      yield* say("b")
      yield* say("c")
      assert.deepStrictEqual(yield* say("d"), {
        turns: [
          { user: "b", assistant: "heard b" },
          { user: "c", assistant: "heard c" },
        ],
        count: 3,
        id: "s",
      })
      const kept = yield* sessions.load("s")
      assert.deepInclude(kept, { version: 4, state: { count: 4 } })
      assert.strictEqual(kept?.turns.length, 2)
    }),
  )

  it.effect(
    "without a session there are no turns, the state is as it starts, and nothing is kept",
    () =>
      Effect.gen(function* () {
        const { pipeline } = yield* workflowOf(counting)
        const { outputs } = yield* run(pipeline, { message: "a" })
        assert.deepStrictEqual(outputs["seen"], { turns: [], count: 0, id: "" })
      }),
  )

  it.effect("emits SessionOpened, and names the session in RunStarted", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(counting)
      const sessions = memorySessions()
      yield* run(pipeline, { message: "a" }, { session: "s", sessions })
      const { events } = yield* collect(pipeline, { message: "b" }, { session: "s", sessions })
      assert.deepInclude(events[0], { type: "RunStarted", session: "s" })
      assert.deepInclude(events[1], { type: "SessionOpened", session: "s", version: 1, turns: 1 })
    }),
  )

  it.effect(
    "of two at once the first to end is kept; the other fails, names it, and keeps its outputs",
    () =>
      Effect.gen(function* () {
        const gate = yield* Deferred.make<void>()
        const slow = stageKind<{ readonly wait: boolean }>({
          id: "slow",
          summary: "Waits for a gate when it is told to.",
          input: { type: "object", properties: { wait: { type: "boolean" } } },
          output: { type: "string" },
          run: ({ wait }) => Effect.as(wait ? Deferred.await(gate) : Effect.void, "done"),
        })
        const { pipeline } = yield* workflowOf(
          `
inputs: { wait: { type: boolean } }
stages: [{ id: a, uses: slow, with: { wait: "\${{ inputs.wait }}" } }]
session: { request: "u", assistant: "\${{ stages.a.output }}" }
outputs: { a: "\${{ stages.a.output }}" }
`,
          { stages: [slow] },
        )
        const sessions = memorySessions()
        const options = { session: "s", sessions }
        const late = yield* Effect.forkChild(collect(pipeline, { wait: true }, options))
        yield* Effect.yieldNow
        yield* run(pipeline, { wait: false }, { ...options, run: "first" })
        yield* Deferred.succeed(gate, undefined)
        const { result } = yield* Fiber.join(late)
        assert.strictEqual(result.status, "failed")
        assert.strictEqual(result.failure?.class, "conflict")
        assert.include(result.failure?.message, "the run first came first")
        assert.deepStrictEqual(result.outputs, { a: "done" })
      }),
  )

  it.effect("stores nothing when it fails", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(`
inputs: { n: { type: integer } }
stages: [{ id: a, uses: increment, with: { value: "\${{ inputs.n }}" }, assert: [{ that: "stages.a.output < 5" }] }]
session: { request: "u", assistant: "a" }
`)
      const sessions = memorySessions()
      yield* Effect.exit(run(pipeline, { n: 9 }, { session: "s", sessions }))
      assert.strictEqual(yield* sessions.load("s"), undefined)
    }),
  )

  const signed = hook<"before_response">({
    id: "signed",
    summary: "Takes out a name.",
    point: "before_response",
    kind: "transform",
    run: ({ text }) => ({ text: text.replaceAll("Bob", "[name]") }),
  })

  it.effect("keeps texts as they left the run, wherever it reads them", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* hookedWorkflow(
        `
hooks: [{ use: signed }]
inputs: { message: { type: string } }
stages: [{ id: say, uses: echo, with: { value: { text: "Hello \${{ inputs.message }}" } } }]
session:
  request: "\${{ inputs.message }}"
  assistant: "\${{ stages.say.output.text }}"
  state:
    plain: { type: string, default: "", value: "\${{ string(stages.say.output.text) + '.' }}" }
    composed: { type: string, default: "", value: "\${{ string(stages.say.output.text) + '!' }}" }
outputs:
  said: { type: string, value: "\${{ stages.say.output.text }}" }
  loud: { type: string, value: "\${{ stages.say.output.text }}!" }
`,
        [signed],
      )
      const sessions = memorySessions()
      const { outputs } = yield* run(pipeline, { message: "Bob" }, { session: "s", sessions })
      assert.deepStrictEqual(outputs, { said: "Hello [name]", loud: "Hello [name]!" })
      const kept = yield* sessions.load("s")
      assert.deepStrictEqual(kept?.turns, [{ user: "Bob", assistant: "Hello [name]" }])
      assert.deepStrictEqual(kept?.state, { plain: "Hello [name].", composed: "Hello [name]!" })
    }),
  )

  it.effect("stores nothing of an answer that a hook blocked", () =>
    Effect.gen(function* () {
      const blocks = hook<"before_response">({
        id: "blocks",
        summary: "Blocks all.",
        point: "before_response",
        kind: "review",
        run: () => ({ verdict: "block", confidence: 1, reason: "no" }),
      })
      const { pipeline } = yield* hookedWorkflow(
        `
hooks: [{ use: blocks }]
stages: [{ id: say, uses: echo, with: { value: Bob } }]
session: { request: "u", assistant: "\${{ string(stages.say.output) }}" }
outputs: { said: { type: string, value: "\${{ stages.say.output }}", early: true } }
`,
        [blocks],
      )
      const sessions = memorySessions()
      const { events, result } = yield* collect(pipeline, {}, { session: "s", sessions })
      assert.strictEqual(result.failure?.class, "blocked")
      assert.strictEqual(yield* sessions.load("s"), undefined)
      assert.notInclude(
        events.map(({ type }) => type),
        "OutputReady",
      )
    }),
  )

  it.effect("resets state that no longer fits its schema, and reports it", () =>
    Effect.gen(function* () {
      const sessions = memorySessions()
      yield* sessions.save("s", {
        run: "r",
        workflow: "test",
        after: undefined,
        turns: [],
        state: { count: "three", other: 1 },
        at: 0,
      })
      const { pipeline } = yield* workflowOf(counting)
      const { events, result } = yield* collect(
        pipeline,
        { message: "a" },
        { session: "s", sessions },
      )
      assert.deepInclude(events[1], { type: "SessionOpened", reset: ["count"] })
      assert.deepInclude(result.outputs["seen"] as object, { count: 0 })
      assert.deepStrictEqual((yield* sessions.load("s"))?.state, { count: 1, other: 1 })
    }),
  )

  it.effect("stores no secrets", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(counting)
      const sessions = memorySessions()
      const options = { session: "s", sessions, secrets: ["hunter22"] }
      yield* run(pipeline, { message: "my key is hunter22" }, options)
      assert.deepStrictEqual((yield* sessions.load("s"))?.turns, [
        { user: "my key is [secret]", assistant: "heard my key is [secret]" },
      ])
    }),
  )

  it.effect("sees the same turns after a resume, and is stored once", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(counting)
      const sessions = memorySessions()
      const recording = emptyRecording()
      const say = (run_: string, message: string, more = {}) =>
        run(pipeline, { message }, { session: "s", sessions, run: run_, ...more })
      const journal = recordingJournal(recording)
      const first = yield* say("one", "a", { journal })
      yield* say("two", "b")
      const again = yield* say("one", "a", { journal })
      assert.deepStrictEqual(again.outputs, first.outputs)
      assert.strictEqual((yield* sessions.load("s"))?.version, 2)
    }),
  )

  it.effect("is refused when the workflow or the host keeps no session", () =>
    Effect.gen(function* () {
      const plain = yield* workflowOf("stages: [{ id: a, uses: echo, with: { value: 1 } }]\n")
      const undeclared = yield* Effect.flip(
        run(plain.pipeline, {}, { session: "s", sessions: memorySessions() }),
      )
      assert.include(undeclared.message, "keeps no session")
      const { pipeline } = yield* workflowOf(counting)
      const nowhere = yield* Effect.flip(run(pipeline, { message: "a" }, { session: "s" }))
      assert.include(nowhere.message, "the run has no store")
    }),
  )
})

const readyIn = (events: ReadonlyArray<RunEvent>) =>
  events.flatMap((event) =>
    event.type === "OutputReady"
      ? [`ready ${event.name} ${JSON.stringify(event.value)}`]
      : event.type === "StageFinished" || event.type === "StageSkipped"
        ? [event.path]
        : [],
  )

describe("an early output", () => {
  it.effect("is emitted once the stages it reads have ended, before others start", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(`
stages:
  - { id: plan, uses: echo, with: { value: hello } }
  - { id: tools, uses: echo, with: { value: 1 } }
outputs:
  reply: { type: string, value: "\${{ stages.plan.output }}", early: true }
  late: "\${{ stages.tools.output }}"
`)
      const { events, result } = yield* collect(pipeline)
      assert.deepStrictEqual(readyIn(events), ["plan", 'ready reply "hello"', "tools"])
      assert.deepStrictEqual(result.outputs, { reply: "hello", late: 1 })
    }),
  )

  it.effect("waits for a stage that may send the run back to what it reads", () =>
    Effect.gen(function* () {
      let round = 0
      const draft = stageKind<object>({
        id: "draft",
        summary: "Gives its round.",
        input: { type: "object" },
        output: { type: "integer" },
        run: () => Effect.sync(() => ++round),
      })
      const { pipeline } = yield* workflowOf(
        `
stages:
  - { id: plan, uses: draft }
  - { id: review, uses: echo, with: { value: 1 }, assert: [{ that: "stages.plan.output > 1", on_fail: { rerun: plan, max_reruns: 2 } }] }
  - { id: last, uses: echo, with: { value: 1 } }
outputs: { reply: { value: "\${{ stages.plan.output }}", early: true } }
`,
        { stages: [draft] },
      )
      const { events } = yield* collect(pipeline)
      assert.deepStrictEqual(readyIn(events), [
        "plan",
        "review",
        "plan~2",
        "review~2",
        "ready reply 2",
        "last",
      ])
    }),
  )

  it.effect(
    "reads a stage that was skipped, one inside of a block, and one of a loop when the loop is over",
    () =>
      Effect.gen(function* () {
        const { pipeline } = yield* workflowOf(`
inputs: { on: { type: boolean, default: false } }
stages:
  - { id: a, uses: echo, if: inputs.on, with: { value: x } }
  - id: block
    stages:
      - { id: b, uses: echo, with: { value: 2 } }
      - { id: c, uses: echo, with: { value: 3 } }
  - id: rounds
    repeat: { max_iterations: 2, until: iter.index == 1 }
    stages: [{ id: d, uses: echo, with: { value: "\${{ iter.index }}" } }]
  - { id: e, uses: echo, with: { value: 5 } }
outputs:
  one: { value: '\${{ has(stages.a.output) ? stages.a.output : "none" }}', early: true }
  two: { value: "\${{ stages.b.output }}", early: true }
  three: { value: "\${{ stages.d.output }}", early: true }
`)
        const { events } = yield* collect(pipeline)
        assert.deepStrictEqual(readyIn(events), [
          "a",
          'ready one "none"',
          "block/b",
          "ready two 2",
          "block/c",
          "block",
          "rounds[0]/d",
          "rounds[1]/d",
          "rounds",
          "ready three 1",
          "e",
        ])
      }),
  )

  it.effect("that cannot be evaluated fails the run at its end, as any output", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(`
stages:
  - { id: a, uses: echo, with: { value: text } }
outputs: { n: { type: integer, value: "\${{ stages.a.output }}", early: true } }
`)
      const { events, result } = yield* collect(pipeline)
      assert.deepStrictEqual(readyIn(events), ["a"])
      assert.strictEqual(result.failure?.class, "invalid_output")
    }),
  )
})
