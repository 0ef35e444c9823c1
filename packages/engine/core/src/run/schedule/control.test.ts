import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { StageFailed, stageKind } from "@planloom/plugin/effect"
import { collect, course } from "../../../test/collect.ts"
import { workflowOf } from "../../../test/inline.ts"

/** Fails as often as `times` says, then gives `value`. */
const flaky = () => {
  let failed = 0
  return stageKind<{ readonly times: number; readonly value: string }>({
    id: "flaky",
    summary: "Fails a few times.",
    input: {
      type: "object",
      properties: { times: { type: "integer" }, value: { type: "string" } },
      required: ["times", "value"],
    },
    output: { type: "string" },
    run: ({ times, value }) =>
      Effect.suspend(() =>
        failed++ < times
          ? Effect.fail(new StageFailed({ class: "unavailable", message: "not yet" }))
          : Effect.succeed(value),
      ),
  })
}

/** Counts its calls and tells each from the feedback it got. */
const drafting = () => {
  const heard: Array<string> = []
  const kind = stageKind<object>({
    id: "draft",
    summary: "Gives how often it was sent back.",
    input: { type: "object" },
    output: { type: "integer" },
    run: (_, context) =>
      Effect.sync(() => {
        if (context.feedback !== undefined) heard.push(context.feedback.message)
        return context.feedback?.count ?? 0
      }),
  })
  return { kind, heard }
}

describe("a sequence", () => {
  it.effect("skips a stage whose condition is false and emits StageSkipped", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(`
inputs: { on: { type: boolean } }
stages:
  - { id: a, uses: echo, if: inputs.on, with: { value: hello } }
outputs: { a: '\${{ has(stages.a.output) ? stages.a.output : "none" }}' }
`)
      const off = yield* collect(pipeline, { on: false })
      assert.deepStrictEqual(off.result.outputs, { a: "none" })
      assert.deepStrictEqual(course(off.events), ["RunStarted", "StageSkipped a", "RunFinished"])
      const on = yield* collect(pipeline, { on: true })
      assert.deepStrictEqual(on.result.outputs, { a: "hello" })
    }),
  )

  it.effect("ends at the first failure, names the stage and leaves the rest undone", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        `
stages:
  - { id: a, uses: flaky, with: { times: 1, value: x } }
  - { id: b, uses: echo, with: { value: "\${{ stages.a.output }}" } }
`,
        { stages: [flaky()] },
      )
      const { events, result } = yield* collect(pipeline)
      assert.strictEqual(result.status, "failed")
      assert.deepStrictEqual(result.failure, {
        class: "unavailable",
        message: "not yet",
        stage: "a",
      })
      assert.deepStrictEqual(course(events), [
        "RunStarted",
        "StageStarted a",
        "StageFailed a",
        "RunFailed",
      ])
    }),
  )

  it.effect("continues after a failure under `on_error: continue`", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        `
stages:
  - { id: a, uses: flaky, on_error: continue, with: { times: 1, value: x } }
  - { id: b, uses: echo, with: { value: "\${{ has(stages.a.output) ? stages.a.output : stages.a.outcome }}" } }
outputs: { b: "\${{ stages.b.output }}" }
`,
        { stages: [flaky()] },
      )
      const { result } = yield* collect(pipeline)
      assert.strictEqual(result.status, "succeeded")
      assert.deepStrictEqual(result.outputs, { b: "failure" })
      assert.strictEqual(result.stages["a"]?.outcome, "failure")
    }),
  )

  it.effect("gives expressions the failure after which the run continued, also by a fallback", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        `
stages:
  - { id: a, uses: flaky, with: { times: 9, value: x }, on_error: continue }
  - { id: b, uses: flaky, with: { times: 9, value: x }, fallback: { uses: echo, with: { value: instead } } }
  - { id: c, uses: echo, with: { value: fine } }
outputs:
  a: { value: '\${{ has(stages.a.error) ? stages.a.error.class + ": " + stages.a.error.message : "" }}' }
  b: { value: '\${{ has(stages.b.error) ? stages.b.error.class + ": " + stages.b.output : "" }}' }
  c: { value: '\${{ has(stages.c.error) }}' }
`,
        { stages: [flaky()] },
      )
      const { result } = yield* collect(pipeline)
      assert.deepStrictEqual(result.outputs, {
        a: "unavailable: not yet",
        b: "unavailable: instead",
        c: false,
      })
    }),
  )

  it.effect("runs the fallback in the place of a stage that failed", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        `
stages:
  - { id: a, uses: flaky, with: { times: 9, value: x }, fallback: { uses: echo, with: { value: instead } } }
outputs: { a: "\${{ stages.a.output }}" }
`,
        { stages: [flaky()] },
      )
      const { events, result } = yield* collect(pipeline)
      assert.deepStrictEqual(result.outputs, { a: "instead" })
      assert.deepStrictEqual(course(events), [
        "RunStarted",
        "StageStarted a",
        "StageFailed a",
        "StageFinished a",
        "RunFinished",
      ])
    }),
  )

  it.effect("turns a defect of a stage kind into a failure of class internal", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(`stages: [{ id: a, uses: broken }]`, {
        stages: [
          stageKind<object>({
            id: "broken",
            summary: "Throws.",
            input: { type: "object" },
            output: true,
            run: () => {
              throw new TypeError("undefined is not a function")
            },
          }),
        ],
      })
      const { result } = yield* collect(pipeline)
      assert.strictEqual(result.failure?.class, "internal")
      assert.include(result.failure?.message ?? "", "undefined is not a function")
    }),
  )

  it.effect("refuses an output that does not fit the kind's schema", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(`stages: [{ id: a, uses: lying }]`, {
        stages: [
          stageKind<object>({
            id: "lying",
            summary: "Says number, gives text.",
            input: { type: "object" },
            output: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
            run: () => Effect.succeed({ n: "text" }),
          }),
        ],
      })
      const { result } = yield* collect(pipeline)
      assert.strictEqual(result.failure?.class, "invalid_output")
      assert.include(result.failure?.message ?? "", "n must be number")
    }),
  )
})

describe("a graph", () => {
  it.effect("starts every stage as soon as those it needs have ended", () =>
    Effect.gen(function* () {
      const open: Array<string> = []
      let most = 0
      const slow = stageKind<{ readonly name: string; readonly ms: number }>({
        id: "slow",
        summary: "Takes its time.",
        input: {
          type: "object",
          properties: { name: { type: "string" }, ms: { type: "integer" } },
          required: ["name", "ms"],
        },
        output: { type: "string" },
        run: ({ ms, name }) =>
          Effect.gen(function* () {
            open.push(name)
            most = Math.max(most, open.length)
            yield* Effect.sleep(ms)
            open.splice(open.indexOf(name), 1)
            return name
          }),
      })
      const { pipeline } = yield* workflowOf(
        `
stages:
  - { id: a, uses: slow, with: { name: a, ms: 10 } }
  - { id: b, uses: slow, with: { name: b, ms: 20 } }
  - { id: c, uses: slow, needs: [a], with: { name: c, ms: 5 } }
  - { id: d, uses: slow, needs: [b, c], with: { name: d, ms: 1 } }
`,
        { stages: [slow] },
      )
      const fiber = yield* Effect.forkChild(collect(pipeline))
      yield* TestClock.adjust("1 second")
      const { events, result } = yield* Fiber.join(fiber)
      assert.strictEqual(result.status, "succeeded")
      assert.strictEqual(most, 2)
      const ends = events.flatMap((event) => (event.type === "StageFinished" ? [event.stage] : []))
      assert.deepStrictEqual(ends, ["a", "c", "b", "d"])
    }),
  )
})

describe("for_each", () => {
  it.effect("returns the outputs in the order of the items, at most max_parallel at once", () =>
    Effect.gen(function* () {
      let open = 0
      let most = 0
      const slow = stageKind<{ readonly n: number }>({
        id: "slow",
        summary: "The larger, the quicker.",
        input: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
        output: { type: "integer" },
        run: ({ n }) =>
          Effect.gen(function* () {
            most = Math.max(most, ++open)
            yield* Effect.sleep(100 - n)
            open--
            return n * 10
          }),
      })
      const { pipeline } = yield* workflowOf(
        `
inputs: { list: { type: array, items: { type: integer } } }
stages:
  - { id: each, uses: slow, for_each: { in: inputs.list, as: n, max_parallel: 3 }, with: { n: "\${{ n + index }}" } }
outputs: { all: "\${{ stages.each.output }}" }
`,
        { stages: [slow] },
      )
      const fiber = yield* Effect.forkChild(collect(pipeline, { list: [1, 2, 3, 4, 5, 6, 7] }))
      yield* TestClock.adjust("1 second")
      const { result } = yield* Fiber.join(fiber)
      assert.deepStrictEqual(result.outputs, { all: [10, 30, 50, 70, 90, 110, 130] })
      assert.strictEqual(most, 3)
    }),
  )

  it.effect("returns null for a failed item under `on_error: continue`", () =>
    Effect.gen(function* () {
      const picky = stageKind<{ readonly n: number }>({
        id: "picky",
        summary: "Does not like 2.",
        input: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
        output: { type: "integer" },
        run: ({ n }) =>
          n === 2
            ? Effect.fail(new StageFailed({ class: "tool_error", message: "2" }))
            : Effect.succeed(n),
      })
      const { pipeline } = yield* workflowOf(
        `
stages:
  - { id: each, uses: picky, for_each: { in: "[1, 2, 3]", as: n }, on_error: continue, with: { n: "\${{ n }}" } }
outputs: { all: "\${{ has(stages.each.output) ? stages.each.output : [] }}" }
`,
        { stages: [picky] },
      )
      const { result } = yield* collect(pipeline)
      assert.deepStrictEqual(result.outputs, { all: [1, null, 3] })
      assert.strictEqual(result.stages["each[1]"]?.outcome, "failure")
    }),
  )
})

describe("repeat", () => {
  const counting = (limit: number, exhausted: string) => `
stages:
  - id: work
    repeat:
      carry: { n: 0 }
      until: stages.step.output >= ${limit}
      next: { n: "\${{ stages.step.output }}" }
      max_iterations: 3
      on_exhausted: ${exhausted}
    stages:
      - { id: step, uses: increment, with: { value: "\${{ iter.n }}" } }
outputs:
  n: { type: integer, value: "\${{ stages.work.output.carry.n }}" }
  done: { type: boolean, value: "\${{ stages.work.output.done }}" }
  last: { type: integer, value: "\${{ stages.step.output }}" }
`

  it.effect("folds until its condition holds, the last iteration included", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(counting(2, "fail"))
      const { result } = yield* collect(pipeline)
      assert.deepStrictEqual(result.outputs, { n: 2, done: true, last: 2 })
      assert.isUndefined(result.stages["work[2]/step"])
    }),
  )

  it.effect("ends at max_iterations as on_exhausted says", () =>
    Effect.gen(function* () {
      const { pipeline: goesOn } = yield* workflowOf(counting(9, "continue"))
      assert.deepStrictEqual((yield* collect(goesOn)).result.outputs, {
        n: 3,
        done: false,
        last: 3,
      })
      const { pipeline: fails } = yield* workflowOf(counting(9, "fail"))
      const { result } = yield* collect(fails)
      assert.strictEqual(result.failure?.class, "assertion")
      assert.include(result.failure?.message ?? "", "after 3 iterations")
    }),
  )
})

describe("assert", () => {
  const checked = (max: number) => `
stages:
  - { id: plan, uses: draft }
  - id: coverage
    uses: echo
    with: { value: "\${{ stages.plan.output }}" }
    assert:
      - { that: stages.plan.output >= 2, message: "only \${{ stages.plan.output }}", on_fail: { rerun: plan, max_reruns: ${max} } }
outputs: { plan: "\${{ stages.plan.output }}" }
`

  it.effect("reruns from an earlier stage, which receives the feedback", () =>
    Effect.gen(function* () {
      const { heard, kind } = drafting()
      const { pipeline } = yield* workflowOf(checked(2), { stages: [kind] })
      const { events, result } = yield* collect(pipeline)
      assert.deepStrictEqual(result.outputs, { plan: 2 })
      assert.deepStrictEqual(heard, ["only 0", "only 1"])
      assert.deepStrictEqual(
        course(events).filter((line) => line.startsWith("StageStarted")),
        ["plan", "coverage", "plan~2", "coverage~2", "plan~3", "coverage~3"].map(
          (path) => `StageStarted ${path}`,
        ),
      )
    }),
  )

  it.effect("fails the stage when the reruns are used up", () =>
    Effect.gen(function* () {
      const { kind } = drafting()
      const { pipeline } = yield* workflowOf(checked(1), { stages: [kind] })
      const { result } = yield* collect(pipeline)
      assert.deepStrictEqual(result.failure, {
        class: "assertion",
        message: "only 1",
        detail: 1,
        stage: "coverage~2",
      })
    }),
  )

  it.effect("reruns, in a graph, only what lies between its target and itself", () =>
    Effect.gen(function* () {
      const { kind } = drafting()
      const { pipeline } = yield* workflowOf(
        `
stages:
  - { id: plan, uses: draft }
  - { id: aside, uses: echo, needs: [plan], with: { value: 1 } }
  - id: coverage
    uses: echo
    needs: [plan]
    with: { value: "\${{ stages.plan.output }}" }
    assert: [{ that: stages.plan.output >= 1, on_fail: { rerun: plan, max_reruns: 1 } }]
`,
        { stages: [kind] },
      )
      const { events, result } = yield* collect(pipeline)
      assert.strictEqual(result.status, "succeeded")
      const started = course(events).filter((line) => line.startsWith("StageStarted"))
      assert.deepStrictEqual(started.toSorted(), [
        "StageStarted aside",
        "StageStarted coverage",
        "StageStarted coverage~2",
        "StageStarted plan",
        "StageStarted plan~2",
      ])
    }),
  )
})

describe("an assertion on the way back from another one", () => {
  it.effect("takes effect before later stages run again", () =>
    Effect.gen(function* () {
      const { kind } = drafting()
      const { pipeline } = yield* workflowOf(
        `
stages:
  - { id: plan, uses: draft }
  - id: refined
    uses: draft
    needs: [plan]
    assert: [{ that: stages.refined.output == stages.plan.output, on_fail: { rerun: refined, max_reruns: 1 } }]
  - id: coverage
    uses: echo
    needs: [refined]
    with: { value: "\${{ stages.refined.output }}" }
    assert: [{ that: stages.plan.output >= 1, on_fail: { rerun: plan, max_reruns: 1 } }]
outputs: { said: "\${{ stages.coverage.output }}" }
`,
        { stages: [kind] },
      )
      const { events, result } = yield* collect(pipeline)
      assert.deepStrictEqual(result.outputs, { said: 1 })
      assert.deepStrictEqual(
        course(events).filter((line) => line.startsWith("StageStarted")),
        ["plan", "refined", "coverage", "plan~2", "refined~2", "refined~3", "coverage~2"].map(
          (path) => `StageStarted ${path}`,
        ),
      )
    }),
  )
})

describe("finally", () => {
  const tidy = (times: number) => `
stages:
  - { id: work, uses: flaky, with: { times: ${times}, value: x } }
finally:
  - { id: tidy, uses: echo, with: { value: "\${{ outcome }}" } }
`

  it.effect("runs after success and after failure, and knows which it was", () =>
    Effect.gen(function* () {
      const failing = yield* workflowOf(tidy(1), { stages: [flaky()] })
      const failed = (yield* collect(failing.pipeline)).result
      assert.strictEqual(failed.status, "failed")
      assert.strictEqual(failed.stages["tidy"]?.output, "failure")
      const passing = yield* workflowOf(tidy(0), { stages: [flaky()] })
      const succeeded = (yield* collect(passing.pipeline)).result
      assert.strictEqual(succeeded.status, "succeeded")
      assert.strictEqual(succeeded.stages["tidy"]?.output, "success")
    }),
  )

  it.effect("sees a stage that was never reached as skipped", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        `
stages:
  - { id: work, uses: flaky, with: { times: 1, value: x } }
  - { id: later, uses: echo, with: { value: 1 } }
finally:
  - { id: tidy, uses: echo, with: { value: "\${{ stages.later.outcome }}" } }
`,
        { stages: [flaky()] },
      )
      assert.strictEqual((yield* collect(pipeline)).result.stages["tidy"]?.output, "skipped")
    }),
  )

  it.effect("makes the run fail when it fails itself", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        `
stages: [{ id: work, uses: echo, with: { value: 1 } }]
finally: [{ id: tidy, uses: flaky, with: { times: 1, value: x } }]
`,
        { stages: [flaky()] },
      )
      const { result } = yield* collect(pipeline)
      assert.strictEqual(result.status, "failed")
      assert.strictEqual(result.failure?.stage, "tidy")
    }),
  )
})
