/** Ends of loops: their reasons, and what is left of the rounds before one that failed. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import {
  loopStops,
  StageFailed,
  stageKind,
  type FailureClass,
  type LoopStop,
  type RunEvent,
  type ToolSource,
} from "@planloom/plugin/effect"
import { collect } from "../../../test/collect.ts"
import { workflowOf } from "../../../test/inline.ts"
import { emptyRecording, recordingJournal } from "../journal/journals.ts"
import type { RunOptions } from "../RunOptions.ts"

type LoopEnded = Extract<RunEvent, { readonly type: "LoopEnded" }>

/** Returns the round, calls a tool if it is one of `calls`, and fails or hangs in the round `fails`. */
const rounds = stageKind<{
  readonly round: number
  readonly fails: number
  readonly class: FailureClass | "hangs"
  readonly calls: number
}>({
  id: "rounds",
  summary: "Returns the round.",
  input: {
    type: "object",
    properties: {
      round: { type: "integer" },
      fails: { type: "integer", default: -1 },
      class: { type: "string", default: "unavailable" },
      calls: { type: "integer", default: 9 },
    },
    required: ["round"],
  },
  output: { type: "integer" },
  run: ({ calls, class: reason, fails, round }, { callTool }) =>
    Effect.gen(function* () {
      if (round < calls) yield* callTool({ tool: "look", params: { round }, key: "one" })
      if (round !== fails) return round
      return yield* reason === "hangs"
        ? Effect.never
        : new StageFailed({ class: reason, message: `round ${round}` })
    }),
})

const tools: ToolSource = {
  id: "tools",
  summary: "Tools.",
  list: Effect.succeed({
    tools: [
      { name: "look", summary: "Looks.", capabilities: [], inputs: {}, params: true, outputs: [] },
    ],
  }),
  call: () => Effect.succeed({ value: 1 }),
}

interface Given {
  readonly until?: string
  readonly repeat?: string
  readonly with?: string
  /** Keys of the stage with the loop. */
  readonly stage?: string
  readonly options?: RunOptions
}

const looped = ({
  options = {},
  repeat = "",
  stage = "",
  until = "stages.step.output >= 5",
  with: more = "",
}: Given) =>
  Effect.gen(function* () {
    const { pipeline } = yield* workflowOf(
      `stages:
  - id: work
    ${stage}
    repeat: { carry: { n: 0 }, until: ${until}, next: { n: "\${{ stages.step.output + 1 }}" }, max_iterations: 3${repeat} }
    stages:
      - { id: step, uses: rounds, with: { round: "\${{ iter.n }}"${more} } }
outputs:
  end: "\${{ stages.work.output }}"
  step: "\${{ stages.step.output }}"
  why: '\${{ has(stages.work.output.error) ? stages.work.output.error.class : "" }}'
`,
      { stages: [rounds], tools: [tools] },
    )
    const fiber = yield* Effect.forkChild(collect(pipeline, {}, options))
    yield* TestClock.adjust("1 minute")
    const { events, result } = yield* Fiber.join(fiber)
    const [ended] = events.filter((one): one is LoopEnded => one.type === "LoopEnded")
    return { events, result, ended, loop: result.outputs["end"] }
  })

const keep = ", on_round_error: keep"

const ends: { readonly [stopped in LoopStop]: Given } = {
  done: { until: "stages.step.output >= 1" },
  no_new_call: { repeat: ", on_no_new_call: end", with: ", calls: 1" },
  iterations: { repeat: ", on_exhausted: continue" },
  budget: { repeat: keep, with: ", fails: 2, class: budget" },
  time: { repeat: keep, with: ", fails: 2, class: hangs", stage: "timeout: 10s" },
  clarification: { repeat: keep, with: ", fails: 2, class: clarification" },
  round_failed: { repeat: keep, with: ", fails: 2" },
}

describe("a loop", () => {
  for (const stopped of Object.keys(loopStops) as ReadonlyArray<LoopStop>) {
    it.effect(`that ends with ${stopped} says so in its output and an event`, () =>
      Effect.gen(function* () {
        const { ended, loop, result } = yield* looped(ends[stopped])
        const iterations = stopped === "iterations" ? 3 : 2
        assert.deepInclude(loop, {
          stopped,
          iterations,
          done: stopped === "done",
          carry: { n: iterations },
        })
        assert.deepInclude(ended, { stopped, iterations })
        assert.strictEqual(result.outputs["step"], iterations - 1)
        const isKept = !["done", "no_new_call", "iterations"].includes(stopped)
        assert.strictEqual(ended?.failure !== undefined, isKept)
        assert.strictEqual(result.outputs["why"] !== "", isKept)
        assert.deepStrictEqual(
          result.degraded.map(({ after, path }) => [path, after]),
          isKept ? [["work", "last_round"]] : [],
        )
      }),
    )
  }

  it.effect(
    "fails with its first round, and with a later one unless it keeps the last whole one",
    () =>
      Effect.gen(function* () {
        for (const given of [
          { repeat: keep, with: ", fails: 0" },
          { with: ", fails: 2" },
          { repeat: keep, with: ", fails: 2, class: store" },
        ]) {
          const { ended, result } = yield* looped(given)
          assert.strictEqual(result.status, "failed")
          assert.include(result.failure?.stage, "/step")
          assert.isUndefined(ended)
        }
      }),
  )

  it.effect("fails at max_iterations with the reason, unless on_exhausted is continue", () =>
    Effect.gen(function* () {
      const { result } = yield* looped({})
      assert.deepInclude(result.failure, {
        class: "assertion",
        message: '"work" was not done after 3 iterations',
        detail: { carry: { n: 3 }, stopped: "iterations" },
      })
    }),
  )

  it.effect("is tried again only if no round was whole", () =>
    Effect.gen(function* () {
      const again = "retry: { max_retries: 1, delay: 1ms, on: [unavailable] }"
      const kept = yield* looped({ repeat: keep, with: ", fails: 2", stage: again })
      assert.deepInclude(kept.loop, { stopped: "round_failed", iterations: 2 })
      assert.isFalse(kept.events.some(({ type }) => type === "AttemptFailed"))
      const first = yield* looped({ repeat: keep, with: ", fails: 0", stage: again })
      assert.strictEqual(first.result.status, "failed")
      assert.isTrue(first.events.some(({ type }) => type === "AttemptFailed"))
    }),
  )

  for (const stopped of Object.keys(loopStops) as ReadonlyArray<LoopStop>) {
    it.effect(
      `that has ended with ${stopped} ends the same when it is resumed, and does nothing again`,
      () =>
        Effect.gen(function* () {
          const recording = emptyRecording()
          const options = { run: "r", journal: recordingJournal(recording) }
          const first = yield* looped({ ...ends[stopped], options })
          const steps = [...recording.steps.keys()]
          const again = yield* looped({ ...ends[stopped], options })
          assert.deepStrictEqual(again.result.outputs, first.result.outputs)
          assert.deepStrictEqual(again.result.degraded, first.result.degraded)
          assert.deepStrictEqual([...recording.steps.keys()], steps)
        }),
    )
  }
})
