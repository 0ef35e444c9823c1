/** Questions that are answered elsewhere while the host asks a person. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import {
  stageKind,
  type Answer,
  type Json,
  type Question,
  type RunEvent,
} from "@planloom/plugin/effect"
import { collect } from "../../../test/collect.ts"
import { workflowOf } from "../../../test/inline.ts"
import { emptyRecording, recordingJournal } from "../journal/journals.ts"

const ask = stageKind<Omit<Question, "key">>({
  id: "ask",
  summary: "Asks and returns the answer.",
  input: { type: "object", additionalProperties: true },
  output: true,
  run: (question, context) => Effect.map(context.ask(question), ({ value }) => value),
})

/** A recorded run whose question is shown to a person for as long as `prompt` takes. */
const asking = Effect.fnUntraced(function* (
  question: string,
  prompt: Effect.Effect<Json | undefined>,
) {
  const { pipeline } = yield* workflowOf(
    `stages: [{ id: sign, uses: ask, with: ${question} }]
outputs: { answer: { value: "\${{ stages.sign.output }}" } }`,
    { stages: [ask] },
  )
  const recording = emptyRecording()
  let stopped = false
  const running = yield* Effect.forkChild(
    collect(
      pipeline,
      {},
      {
        run: "r",
        journal: recordingJournal(recording),
        answer: () => Effect.onInterrupt(prompt, () => Effect.sync(() => void (stopped = true))),
      },
    ),
  )
  const answers = (answer: Answer) => {
    const [name] = recording.waits.keys()
    recording.answers.set(name!, answer)
  }
  return { answers, running, stopped: () => stopped }
})

const answered = (events: ReadonlyArray<RunEvent>) =>
  events.flatMap((event) => (event.type === "Answered" ? [event] : []))

describe("a question that a person is asked", () => {
  it.effect("is withdrawn when another process answers it, and that answer counts", () =>
    Effect.gen(function* () {
      const { answers, running, stopped } = yield* asking("{ message: Sign? }", Effect.never)
      yield* TestClock.adjust("1 minute")
      assert.isFalse(stopped())
      answers({ value: "no", by: "bob", at: 0 })
      yield* TestClock.adjust("1 second")
      const { events, result } = yield* Fiber.join(running)
      assert.isTrue(stopped())
      assert.deepStrictEqual(result.outputs, { answer: "no" })
      assert.deepInclude(answered(events)[0], { by: "bob", value: "no" })
    }),
  )

  it.effect("keeps the answer that was recorded first, with its author", () =>
    Effect.gen(function* () {
      const late = Effect.as(Effect.sleep("1 minute"), "yes")
      const { answers, running } = yield* asking("{ message: Sign? }", late)
      yield* TestClock.adjust("59900 millis")
      answers({ value: "no", by: "bob", at: 0 })
      yield* TestClock.adjust("1 second")
      const { events, result } = yield* Fiber.join(running)
      assert.deepStrictEqual(result.outputs, { answer: "no" })
      assert.deepInclude(answered(events)[0], { by: "bob", value: "no" })
    }),
  )

  it.effect("is withdrawn when it expires, and its default counts", () =>
    Effect.gen(function* () {
      const { running, stopped } = yield* asking(
        "{ message: Sign?, expires: 10m, default: later }",
        Effect.never,
      )
      yield* TestClock.adjust("9 minutes")
      assert.isFalse(stopped())
      yield* TestClock.adjust("2 minutes")
      const { events, result } = yield* Fiber.join(running)
      assert.isTrue(stopped())
      assert.deepStrictEqual(result.outputs, { answer: "later" })
      assert.deepInclude(answered(events)[0], { by: "default" })
    }),
  )
})
