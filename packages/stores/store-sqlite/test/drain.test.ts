/** A worker that stops while runs are under way: bounded by `drain`, and every run can be resumed. */
import { assert, describe, it } from "@effect/vitest"
import { load } from "@planloom/embed"
import { definePlugin, stageKind } from "@planloom/plugin/effect"
import { enqueue, worker } from "@planloom/record/worker"
import { handler } from "@planloom/server"
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import { newFile, storeAt } from "./store.ts"

const text = `apiVersion: planloom/v1
kind: Workflow
name: slow
use: { plugins: [p] }
stages: [{ id: work, uses: work }, { id: next, uses: tidy }]
finally: [{ id: tidy, uses: tidy }]
`

/** A worker on one run, whose stage takes `ms`; `saw` is what happened to its stages. */
const working = Effect.fnUntraced(function* (ms: number, drain?: number) {
  const saw: Array<string> = []
  const began = yield* Deferred.make<void>()
  const stage = (id: string, run: Effect.Effect<void>) =>
    stageKind<object>({
      id,
      summary: "Test.",
      input: { type: "object" },
      output: true,
      run: () => Effect.as(run, null),
    })
  const work = Deferred.succeed(began, undefined).pipe(
    Effect.andThen(Effect.sleep(ms)),
    Effect.onExit((exit) => Effect.sync(() => saw.push(`work ${exit._tag}`))),
  )
  const stages = [
    stage("work", work),
    stage(
      "tidy",
      Effect.sync(() => void saw.push("tidy")),
    ),
  ]
  const ready = yield* load("w.yaml", {
    plugins: { p: async () => definePlugin({ id: "p", summary: "Test.", components: { stages } }) },
    texts: new Map([["w.yaml", text]]),
  })
  const store = storeAt(newFile())
  const { recorded } = yield* enqueue(ready.pipeline, {
    run: "r",
    inputs: {},
    definition: "w",
    secrets: ready.secrets,
    session: undefined,
    user: {},
    userDigest: undefined,
    at: 1,
  })
  yield* store.write(recorded)
  const scope = yield* Scope.make()
  const running = yield* Scope.provide(
    worker(store, {
      load: () => Effect.succeed(ready),
      ...(drain === undefined ? {} : { drain }),
    }),
    scope,
  )
  yield* Deferred.await(began)
  const handle = handler({ store, worker: running })
  const health = Effect.promise(async () => {
    const response = await handle(new Request("http://localhost/health"))
    return [response.status, await response.json()] as const
  })
  const closing = Effect.forkChild(Scope.close(scope, Exit.void))
  return { closing, health, saw, store }
})

describe("a worker that stops", () => {
  it.effect("is reported by /health as stopping, with 503, until its steps have ended", () =>
    Effect.gen(function* () {
      const { closing, health, saw, store } = yield* working(60_000)
      assert.deepStrictEqual(yield* health, [200, { status: "ok", active_runs: 1 }])
      const closed = yield* closing
      yield* TestClock.adjust("59 seconds")
      assert.deepStrictEqual(yield* health, [503, { status: "stopping", active_runs: 1 }])
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(closed)
      assert.deepStrictEqual(yield* health, [503, { status: "stopping", active_runs: 0 }])
      assert.deepStrictEqual(saw, ["work Success"])
      assert.strictEqual((yield* store.show("r"))?.finishedAt, undefined)
    }),
  )

  it.effect(
    "interrupts steps that take longer than `drain`, and leaves their run to be resumed",
    () =>
      Effect.gen(function* () {
        const { closing, saw, store } = yield* working(60_000, 25_000)
        const closed = yield* closing
        yield* TestClock.adjust("24 seconds")
        assert.deepStrictEqual(saw, [])
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(closed)
        assert.deepStrictEqual(saw, ["work Failure"])
        const record = yield* store.show("r")
        assert.strictEqual(record?.status, "running")
        assert.strictEqual(record?.finishedAt, undefined)
        assert.deepStrictEqual(
          (yield* store.due()).map(({ run }) => run),
          ["r"],
        )
      }),
  )
})
