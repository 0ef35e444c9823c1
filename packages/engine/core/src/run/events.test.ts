import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { stageKind } from "@planloom/plugin/effect"
import { workflowOf } from "../../test/inline.ts"
import { events } from "./events.ts"

const body = `
stages:
  - { id: a, uses: echo, with: { value: 1 } }
  - { id: b, uses: forever }
`

const forever = (log: Array<string>) =>
  stageKind<object>({
    id: "forever",
    summary: "Does not end.",
    input: { type: "object" },
    output: true,
    run: () => Effect.onInterrupt(Effect.never, () => Effect.sync(() => log.push("interrupted"))),
  })

describe("a run as a stream", () => {
  it.effect("emits every event and ends with the run", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(`stages: [{ id: a, uses: echo, with: { value: 1 } }]`)
      const heard = yield* Stream.runCollect(events(pipeline, {}))
      assert.deepStrictEqual(
        heard.map(({ seq, type }) => `${seq} ${type}`),
        ["0 RunStarted", "1 StageStarted", "2 StageFinished", "3 RunFinished"],
      )
    }),
  )

  it.effect("fails as the run fails, after its events", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(`
stages: [{ id: a, uses: echo, with: { value: 1 }, assert: [{ that: "stages.a.output == 2" }] }]`)
      const heard: Array<string> = []
      const error = yield* events(pipeline, {}).pipe(
        Stream.runForEach(({ type }) => Effect.sync(() => heard.push(type))),
        Effect.flip,
      )
      assert.strictEqual(error._tag, "RunFailed")
      assert.strictEqual(heard.at(-1), "RunFailed")
    }),
  )

  it.effect("cancels the run when its consumer stops", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const { pipeline } = yield* workflowOf(body, { stages: [forever(log)] })
      const heard = yield* events(pipeline, {}).pipe(Stream.take(4), Stream.runCollect)
      assert.strictEqual(heard.length, 4)
      assert.deepStrictEqual(log, ["interrupted"])
    }),
  )

  it.effect("is cancelled with the fiber that runs it", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const { pipeline } = yield* workflowOf(body, { stages: [forever(log)] })
      const fiber = yield* Effect.forkChild(Stream.runDrain(events(pipeline, {})))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(log, ["interrupted"])
    }),
  )
})
