/** Questions that nobody answers at once: what goes on, what waits, what happens when the answer comes. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import * as TestClock from "effect/testing/TestClock"
import {
  StageFailed,
  stageKind,
  type Json,
  type JsonObject,
  type Question,
  type Tool,
  type ToolSource,
  type ToolResult,
} from "@planloom/plugin/effect"
import { collect, course } from "../../../test/collect.ts"
import { workflowOf } from "../../../test/inline.ts"
import { emptyRecording, recordingJournal } from "../journal/journals.ts"
import type { RunOptions } from "../RunOptions.ts"

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  summary: `Does ${name}.`,
  capabilities: [],
  inputs: {},
  params: true,
  outputs: [],
  ...more,
})

const anything = { type: "object", additionalProperties: true }

/** A world that counts what really happens; `gate` holds the tool `slow` back. */
const world = () => {
  const happened: Array<string> = []
  const gate = Deferred.makeUnsafe<void>()
  const source: ToolSource = {
    id: "tools",
    summary: "Tools.",
    list: Effect.succeed({
      tools: [tool("quick"), tool("slow"), tool("send", { needs_approval: true })],
    }),
    call: ({ key, tool: name }) =>
      Effect.andThen(
        name === "slow" ? Deferred.await(gate) : Effect.void,
        Effect.sync((): ToolResult => {
          happened.push(key)
          return { value: name }
        }),
      ),
  }
  const ask = stageKind<Omit<Question, "key">>({
    id: "ask",
    summary: "Asks and gives the answer.",
    input: anything,
    output: true,
    run: (question, context) => Effect.map(context.ask(question), ({ value }) => value),
  })
  const calls = stageKind<{ readonly tools: ReadonlyArray<string>; readonly then?: string }>({
    id: "calls",
    summary: "Calls tools side by side; another one after each.",
    input: anything,
    output: true,
    run: ({ then, tools }, context) =>
      Effect.forEach(
        tools,
        (name, index) =>
          Effect.andThen(
            context.callTool({ tool: name, params: {}, key: `${name}#${index}` }),
            then === undefined
              ? Effect.succeed(name as Json)
              : context.callTool({ tool: then, params: {}, key: `then#${index}` }),
          ),
        { concurrency: "unbounded" },
      ),
  })
  const unsure = stageKind<{ readonly text: string; readonly times?: number }>({
    id: "unsure",
    summary: "Asks back until it has been told often enough.",
    input: anything,
    output: true,
    run: ({ text, times }, { answers, callTool }) =>
      Effect.gen(function* () {
        yield* callTool({ tool: "quick", params: {}, key: "look" })
        return answers.length < (times ?? 1)
          ? yield* new StageFailed({
              class: "clarification",
              message: `what is ${text} (${answers.length})?`,
              detail: { options: ["a", "b"] },
            })
          : answers.map(({ answer, question }) => `${question} ${String(answer)}`)
      }),
  })
  return { happened, gate, components: { tools: [source], stages: [ask, calls, unsure] } }
}

/** Runs, and runs again over the same record whenever somebody has answered. */
const recorded = Effect.fnUntraced(function* (body: string) {
  const { components, gate, happened } = world()
  const { pipeline } = yield* workflowOf(body, components)
  const recording = emptyRecording()
  const options: RunOptions = { journal: recordingJournal(recording), run: "r" }
  return {
    gate,
    happened,
    steps: recording.steps,
    go: (inputs: JsonObject = {}) => collect(pipeline, inputs, options),
    say: (name: string, value: Json) => recording.answers.set(name, { value, by: "person", at: 0 }),
  }
})

describe("a recorded run that needs an answer", () => {
  it.effect("is suspended, and ends as if it had been there when it comes", () =>
    Effect.gen(function* () {
      const { go, happened, say } = yield* recorded(`
stages:
  - { id: before, uses: calls, with: { tools: [quick] } }
  - { id: sign_off, uses: ask, with: { message: "Go on?" } }
  - { id: after, uses: calls, with: { tools: [quick] } }
outputs: { said: "\${{ stages.sign_off.output }}" }
finally: [{ id: tidy, uses: calls, with: { tools: [quick] } }]
`)
      const first = yield* go()
      assert.strictEqual(first.result.status, "suspended")
      assert.deepStrictEqual(
        first.result.waits.map(({ kind, message, name }) => ({ kind, message, name })),
        [{ kind: "signal", message: "Go on?", name: "sign_off" }],
      )
      assert.strictEqual(first.result.stages["sign_off"]?.outcome, "waiting")
      assert.isUndefined(first.result.finishedAt)
      assert.deepStrictEqual(course(first.events).slice(-2), ["Asked sign_off", "RunSuspended"])
      assert.deepStrictEqual(happened, ["r/before/tool:quick#0"])
      assert.strictEqual((yield* go()).result.status, "suspended")
      say("sign_off", { yes: 1 })
      const last = yield* go()
      assert.strictEqual(last.result.status, "succeeded")
      assert.deepStrictEqual(last.result.outputs, { said: { yes: 1 } })
      assert.deepStrictEqual(last.result.waits, [])
      assert.deepStrictEqual(happened, [
        "r/before/tool:quick#0",
        "r/after/tool:quick#0",
        "r/tidy/tool:quick#0",
      ])
    }),
  )

  it.effect(
    "lets the branches beside it go on to their end, and starts nothing that needs it",
    () =>
      Effect.gen(function* () {
        const { gate, go, happened, say } = yield* recorded(`
stages:
  - { id: one, uses: ask, needs: [], with: { message: "one?" } }
  - { id: two, uses: ask, needs: [], with: { message: "two?" } }
  - { id: slow, uses: calls, needs: [], with: { tools: [slow] } }
  - { id: next, uses: calls, needs: [slow], with: { tools: [quick] } }
  - { id: held, uses: calls, needs: [one, next], with: { tools: [quick] } }
`)
        const fiber = yield* Effect.forkChild(go())
        yield* TestClock.adjust(0)
        yield* Deferred.succeed(gate, undefined)
        const { result } = yield* Fiber.join(fiber)
        assert.deepStrictEqual(
          result.waits.map(({ name }) => name),
          ["one", "two"],
        )
        assert.deepStrictEqual(happened, ["r/slow/tool:slow#0", "r/next/tool:quick#0"])
        assert.isUndefined(result.stages["held"])
        say("one", 1)
        assert.deepStrictEqual(
          (yield* go()).result.waits.map(({ name }) => name),
          ["two"],
        )
        assert.strictEqual(happened.at(-1), "r/held/tool:quick#0")
        say("two", 2)
        assert.strictEqual((yield* go()).result.status, "succeeded")
        assert.strictEqual(happened.length, 3)
      }),
  )

  it.effect("waits for all items of a list at once, and for one iteration after the other", () =>
    Effect.gen(function* () {
      const { go, happened, say } = yield* recorded(`
stages:
  - id: each
    for_each: { in: "[1, 2, 3]", as: n, max_parallel: 1 }
    stages:
      - { id: call, uses: calls, with: { tools: [quick] } }
      - { id: ok, uses: ask, if: n != 2, with: { message: "\${{ 'item ' + string(n) }}" } }
  - id: rounds
    repeat: { max_iterations: 2, until: "false", on_exhausted: continue, carry: { sum: 0 }, next: { sum: "\${{ iter.sum + stages.add.output }}" } }
    stages: [{ id: add, uses: ask, with: { message: how much } }]
outputs: { sum: "\${{ stages.rounds.output.carry.sum }}" }
`)
      const { result } = yield* go()
      assert.deepStrictEqual(
        result.waits.map(({ message, name }) => `${name} ${message}`),
        ["each[0]/ok item 1", "each[2]/ok item 3"],
      )
      assert.strictEqual(happened.length, 3)
      say("each[0]/ok", true)
      say("each[2]/ok", true)
      for (const iteration of [0, 1]) {
        assert.deepStrictEqual(
          (yield* go()).result.waits.map(({ name }) => name),
          [`rounds[${iteration}]/add`],
        )
        say(`rounds[${iteration}]/add`, 20 + iteration)
      }
      const last = yield* go()
      assert.deepStrictEqual(last.result.outputs, { sum: 41 })
      assert.strictEqual(happened.length, 3)
    }),
  )

  it.effect("triggers no retry, timeout, fallback, on_error or finally", () =>
    Effect.gen(function* () {
      const { go, happened, say } = yield* recorded(`
timeout: 1h
policies: { retry: { all: { max_retries: 3, delay: 0ms, on: [internal, clarification, timeout] } } }
stages:
  - { id: a, uses: ask, retry: all, timeout: 1m, on_error: continue, concurrency: { group: g, limit: 1, on_limit: queue }, with: { message: a } }
  - { id: b, uses: ask, on_error: fallback, fallback: { uses: calls, with: { tools: [quick] } }, with: { message: b } }
  - { id: c, on_error: continue, stages: [{ id: d, uses: ask, with: { message: d } }] }
finally: [{ id: tidy, uses: calls, with: { tools: [quick] } }]
outputs: { a: "\${{ has(stages.a.output) ? stages.a.output : null }}", b: "\${{ stages.b.output }}", d: "\${{ has(stages.d.output) ? stages.d.output : null }}" }
`)
      for (const [name, path] of [
        ["a/run:1", "a"],
        ["b", "b"],
        ["c/d", "c/d"],
      ] as const) {
        const { events, result } = yield* go()
        assert.strictEqual(result.status, "suspended", result.failure?.message)
        assert.strictEqual(result.waits[0]?.path, path)
        assert.isFalse(
          events.some(({ type }) => type === "AttemptFailed" || type === "StageFailed"),
          name,
        )
        say(result.waits[0]!.name, path)
        yield* TestClock.adjust("3 days")
      }
      assert.deepStrictEqual(happened, [])
      assert.deepStrictEqual((yield* go()).result.outputs, { a: "a", b: "b", d: "c/d" })
      assert.deepStrictEqual(happened, ["r/tidy/tool:quick#0"])
    }),
  )

  it.effect("fails when something fails beside it: there is nothing to wait for", () =>
    Effect.gen(function* () {
      const { go } = yield* recorded(`
stages:
  - { id: a, uses: ask, needs: [], with: { message: a } }
  - { id: b, uses: increment, needs: [], with: { value: "\${{ int('x') }}" } }
`)
      const { result } = yield* go()
      assert.strictEqual(result.status, "failed")
      assert.deepStrictEqual(result.waits, [])
    }),
  )

  it.effect(
    "lets the calls of its attempt end first, with what they lead to, and repeats none",
    () =>
      Effect.gen(function* () {
        const { gate, go, happened, say, steps } = yield* recorded(`
stages: [{ id: work, uses: calls, with: { tools: [send, slow, quick, send], then: quick } }]
outputs: { work: "\${{ stages.work.output }}" }
`)
        const fiber = yield* Effect.forkChild(go())
        yield* TestClock.adjust(0)
        assert.deepStrictEqual(happened, ["r/work/tool:quick#2", "r/work/tool:then#2"])
        assert.isUndefined(fiber.pollUnsafe())
        yield* Deferred.succeed(gate, undefined)
        const { result } = yield* Fiber.join(fiber)
        assert.deepStrictEqual(
          result.waits.map(({ fields, kind, name, show }) => ({
            kind,
            call: name.slice(0, name.lastIndexOf(":")),
            show,
            fields,
          })),
          [0, 3].map((index) => ({
            kind: "approval" as const,
            call: `work/tool:send#${index}/approval:1`,
            show: { tool: "send" },
            fields: [],
          })),
        )
        const before = ["quick#2", "then#2", "slow#1", "then#1"].map((key) => `r/work/tool:${key}`)
        assert.deepStrictEqual(happened, before)
        assert.deepStrictEqual(
          [...steps.keys()].filter((name) => !name.includes("/approval:")).toSorted(),
          ["quick#2", "slow#1", "then#1", "then#2"].map((key) => `work/tool:${key}`),
        )
        for (const { name } of result.waits) say(name, { approved: true })
        const last = yield* go()
        assert.deepStrictEqual(last.result.outputs, { work: Array(4).fill("quick") })
        assert.deepStrictEqual(
          happened.slice(before.length).toSorted(),
          ["send#0", "send#3", "then#0", "then#3"].map((key) => `r/work/tool:${key}`),
        )
      }),
  )

  it.effect("asks the question a stage ended in, and runs the stage again with the answer", () =>
    Effect.gen(function* () {
      const { go, happened, say } = yield* recorded(`
stages:
  - { id: caught, uses: unsure, on_error: continue, with: { text: nothing } }
  - { id: read, uses: unsure, with: { text: x, times: 2 } }
  - { id: each, uses: unsure, for_each: { in: "['y', 'z']", as: t, max_parallel: 2 }, with: { text: "\${{ t }}" } }
outputs: { read: "\${{ stages.read.output }}", each: "\${{ stages.each.output }}" }
`)
      const names: Array<ReadonlyArray<string>> = []
      for (const answer of ["one", "two", "three"]) {
        const { result } = yield* go()
        assert.strictEqual(result.status, "clarification", result.failure?.message)
        assert.deepStrictEqual(result.waits[0]?.options, ["a", "b"])
        names.push(result.waits.map(({ name }) => name))
        for (const { name } of result.waits) say(name, answer)
      }
      assert.deepStrictEqual(names, [
        ["read/clarification:1"],
        ["read/clarification:2"],
        ["each[0]/clarification:1", "each[1]/clarification:1"],
      ])
      const { result } = yield* go()
      assert.deepStrictEqual(result.outputs, {
        read: ["what is x (0)? one", "what is x (1)? two"],
        each: [["what is y (0)? three"], ["what is z (0)? three"]],
      })
      assert.strictEqual(result.stages["caught"]?.failure?.class, "clarification")
      assert.strictEqual(happened.length, 8)
    }),
  )

  it.effect("takes no answer after its time: the default counts, or the stage fails", () =>
    Effect.gen(function* () {
      const { go } = yield* recorded(`
stages:
  - { id: a, uses: ask, with: { message: a, expires: 48h, default: { yes: false } } }
  - { id: b, uses: ask, with: { message: b, expires: 1h } }
outputs: { a: "\${{ stages.a.output }}" }
`)
      const first = yield* go()
      assert.strictEqual(first.result.waits[0]?.expiresAt, 48 * 3_600_000)
      yield* TestClock.adjust("47 hours")
      assert.strictEqual((yield* go()).result.waits[0]?.expiresAt, 48 * 3_600_000)
      yield* TestClock.adjust("1 hour")
      const second = yield* go()
      assert.deepStrictEqual(second.result.waits[0]?.name, "b")
      assert.isTrue(
        second.events.some(
          (event) => event.type === "Answered" && event.by === "default" && event.name === "a",
        ),
      )
      yield* TestClock.adjust("1 hour")
      const { result } = yield* go()
      assert.strictEqual(result.failure?.class, "timeout")
      assert.strictEqual(result.failure?.message, "no answer in time: b")
    }),
  )

  it.effect("is suspended by a question of a nested workflow", () =>
    Effect.gen(function* () {
      const { components } = world()
      const inner = yield* workflowOf(
        `
stages: [{ id: deep, uses: ask, with: { message: deep } }]
outputs: { said: "\${{ stages.deep.output }}" }
`,
        components,
      )
      const nest = stageKind<{ readonly path: string }>({
        id: "nest",
        summary: "Runs a workflow twice, side by side.",
        input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
        output: true,
        refers: ({ path }) => [{ to: "workflow", id: String(path), at: ["path"] }],
        run: ({ path }, context) => context.workflow(path, {}),
      })
      const path = [...inner.sources.keys()][0]!
      const { pipeline } = yield* workflowOf(
        `
stages: [{ id: outer, uses: nest, with: { path: ${path} } }]
outputs: { all: "\${{ stages.outer.output }}" }
`,
        { ...components, stages: [...components.stages, nest] },
      )
      const recording = emptyRecording()
      const journal = recordingJournal(recording)
      const { result } = yield* collect(pipeline, {}, { journal })
      assert.deepStrictEqual(
        result.waits.map(({ name }) => name),
        ["outer/deep"],
      )
      recording.answers.set("outer/deep", { value: 7, by: "ann", at: 0 })
      const last = yield* collect(pipeline, {}, { journal })
      assert.deepStrictEqual(last.result.outputs, { all: { said: 7 } })
    }),
  )
})

describe("a run without a store", () => {
  const body = `
stages:
  - { id: read, uses: unsure, with: { text: x } }
  - { id: sign_off, uses: ask, with: { message: "Go on?", schema: { type: boolean } } }
finally: [{ id: tidy, uses: calls, with: { tools: [quick] } }]
outputs: { said: "\${{ stages.sign_off.output }}" }
`

  it.effect("asks the host", () =>
    Effect.gen(function* () {
      const { components } = world()
      const { pipeline } = yield* workflowOf(body, components)
      const asked: Array<string> = []
      const { events, result } = yield* collect(
        pipeline,
        {},
        {
          answer: ({ kind, message }) =>
            Effect.sync(() => {
              asked.push(message)
              return kind === "clarification" ? "a" : true
            }),
        },
      )
      assert.deepStrictEqual(result.outputs, { said: true })
      assert.deepStrictEqual(asked, ["what is x (0)?", "Go on?"])
      assert.strictEqual(events.filter(({ type }) => type === "Answered").length, 2)
      const wrong = yield* collect(
        pipeline,
        {},
        { answer: ({ kind }) => Effect.succeed(kind === "clarification" ? "a" : "perhaps") },
      )
      assert.include(wrong.result.failure?.message ?? "", "the answer does not fit")
    }),
  )

  it.effect("fails with the question when the host has no answer", () =>
    Effect.gen(function* () {
      const { components, happened } = world()
      const { pipeline } = yield* workflowOf(body, components)
      const nobody = yield* collect(pipeline)
      assert.strictEqual(nobody.result.status, "clarification")
      assert.strictEqual(nobody.result.failure?.message, "what is x (0)?")
      assert.strictEqual(nobody.result.stages["read"]?.outcome, "failure")
      const one = yield* collect(
        pipeline,
        {},
        { answer: ({ kind }) => Effect.succeed(kind === "clarification" ? "a" : undefined) },
      )
      assert.strictEqual(one.result.status, "clarification")
      assert.strictEqual(one.result.failure?.message, "Go on?")
      assert.strictEqual(one.result.failure?.stage, "sign_off")
      assert.strictEqual(happened.filter((key) => key.endsWith("tidy/tool:quick#0")).length, 2)
      const mute = yield* collect(pipeline, {}, { answer: () => Effect.undefined })
      assert.strictEqual(mute.events.filter(({ type }) => type === "Asked").length, 1)
      assert.strictEqual(mute.result.failure?.message, "what is x (0)?")
    }),
  )
})

describe("the time for which a person is asked", () => {
  const dawdle = stageKind<{ readonly before: number; readonly after: number }>({
    id: "dawdle",
    summary: "Takes its time before and after a question.",
    input: anything,
    output: true,
    run: ({ after, before }, context) =>
      Effect.gen(function* () {
        yield* Effect.sleep(before)
        const { value } = yield* context.ask({ key: "q", message: "Well?" })
        yield* Effect.sleep(after)
        return value
      }),
  })
  const limited = (before: number, after: number) => `
timeout: 30s
stages:
  - id: block
    timeout: 20s
    stages: [{ id: slow, uses: dawdle, timeout: 10s, with: { before: ${before}, after: ${after} } }]
  - { id: rest, uses: echo, with: { value: done } }
outputs: { said: "\${{ stages.slow.output }}" }
`
  const slowly = { answer: () => Effect.as(Effect.sleep("2 hours"), "yes" as Json) }

  const end = Effect.fnUntraced(function* (before: number, after: number) {
    const { components } = world()
    const { pipeline } = yield* workflowOf(limited(before, after), {
      ...components,
      stages: [...components.stages, dawdle],
    })
    const running = yield* Effect.forkChild(collect(pipeline, {}, slowly))
    yield* TestClock.adjust("3 hours")
    return (yield* Fiber.join(running)).result
  })

  it.effect("counts for no timeout around it, and what comes before and after does", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* end(4000, 5000)).outputs, { said: "yes" })
      const late = yield* end(6000, 6000)
      assert.strictEqual(late.failure?.message, 'stage "slow" gave no output in 10s')
      assert.strictEqual(late.failure?.class, "timeout")
      assert.strictEqual((yield* end(0, 9999)).status, "succeeded")
    }),
  )
})
