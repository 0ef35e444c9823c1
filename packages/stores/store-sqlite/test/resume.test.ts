/** A run resumes from any prefix of its record: same result, no repeated work, no event emitted twice. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import * as fc from "fast-check"
import type {
  Failure,
  Journal,
  Json,
  JsonObject,
  OpenedRun,
  RunEvent,
  RunStart,
  RunStore,
} from "@planloom/plugin/effect"
import { resultOf, run } from "@planloom/core"
import type { RunResult } from "@planloom/core"
import { resume } from "@planloom/record"
import { newFile, newFolder, storeAt } from "./store.ts"
import { workflowIn } from "./workflow.ts"
import { cases } from "../../../../.config/cases.ts"

/** The same store, but after `steps` records its process acts as dead: nothing starts, nothing is emitted. */
const dyingAfter = (steps: number, store: RunStore, dead: () => void): RunStore => ({
  ...store,
  list: (filter) => store.list(filter),
  show: (id) => store.show(id),
  events: (id, from) => store.events(id, from),
  open: (start) =>
    Effect.map(store.open(start), (opened) => {
      let left = steps
      const step: Journal["step"] = <A extends Json, E extends Failure, R>(
        name: string,
        effect: Effect.Effect<A, E, R>,
      ) =>
        Effect.suspend((): Effect.Effect<A, E, R> => {
          if (left <= 0) {
            dead()
            return Effect.never
          }
          return Effect.onExit(opened.journal.step(name, effect), () =>
            Effect.sync(() => {
              left--
            }),
          )
        })
      const event = (told: RunEvent) => {
        if (left > 0) opened.journal.event(told)
      }
      return { ...opened, journal: { ...opened.journal, step, event } }
    }),
})

/** The same store, but the first step of a name waits, as if the process were frozen there. */
const waitingAt = (store: RunStore, where: (name: string) => boolean) => {
  const gate = Deferred.makeUnsafe<void>()
  const reached = Deferred.makeUnsafe<void>()
  return { gate, reached, store: { ...dyingAfter(Infinity, store, () => undefined), open } }
  function open(start: RunStart) {
    return Effect.map(store.open(start), (opened): OpenedRun => {
      const { journal } = opened
      const step: Journal["step"] = (name, effect) =>
        where(name)
          ? Effect.flatMap(
              Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(gate)),
              () => journal.step(name, effect),
            )
          : journal.step(name, effect)
      return { ...opened, journal: { ...journal, step } }
    })
  }
}

/** The journal of a dead process is not closed, and its unwritten records are lost. */
const runAndDie = (
  store: RunStore,
  steps: number,
  work: (dying: RunStore) => Effect.Effect<unknown, unknown>,
) =>
  Effect.gen(function* () {
    const dead = yield* Deferred.make<void>()
    const dying = dyingAfter(steps, store, () => Deferred.doneUnsafe(dead, Effect.void))
    const fiber = yield* Effect.forkDetach(work(dying))
    yield* Effect.raceFirst(Deferred.await(dead), Effect.exit(Fiber.join(fiber)))
  })

const plain = ({ outputs, stages, status }: RunResult) => ({
  outputs,
  status,
  stages: Object.fromEntries(
    Object.entries(stages).map(([path, { ms: _, ...stage }]) => [path, stage]),
  ),
})

/** The emitted events without order and times: parallel work may end in another order. */
const told = (events: ReadonlyArray<RunEvent>) =>
  events
    .filter(({ type }) => type !== "RunResumed")
    .map(({ at: _, seq: __, ...event }) => JSON.stringify({ ...event, run: "", ms: 0 }))
    .toSorted()

const worldOf = Effect.gen(function* () {
  const happened: Array<string> = []
  const { pipeline } = yield* workflowIn(newFolder(), (what) => happened.push(what))
  return { happened, pipeline }
})

const atOnce = Effect.fnUntraced(function* (inputs: JsonObject) {
  const { happened, pipeline } = yield* worldOf
  const store = storeAt(newFile())
  const result = yield* run(pipeline, inputs, { store, run: "r" })
  const events = yield* store.events("r")
  return { result, events, happened, steps: yield* store.steps("r") }
})

describe("a run resumed from the SQLite store", () => {
  it.live("has the same result from every prefix of its record", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 5 }),
          fc.array(fc.nat(40), { minLength: 1, maxLength: 3 }),
          (list, deaths) =>
            Effect.runPromise(
              Effect.scoped(
                Effect.gen(function* () {
                  const whole = yield* atOnce({ list })
                  const { happened, pipeline } = yield* worldOf
                  const path = newFile()
                  for (const steps of deaths) {
                    yield* runAndDie(storeAt(path), steps, (store) =>
                      run(pipeline, { list }, { store, run: "r" }),
                    )
                  }
                  const store = storeAt(path)
                  const result = yield* resume(pipeline, "r", { store })
                  const events = yield* store.events("r")
                  assert.deepStrictEqual(plain(result), plain(whole.result))
                  assert.deepStrictEqual(happened.toSorted(), whole.happened.toSorted())
                  assert.deepStrictEqual(told(events), told(whole.events))
                  assert.deepStrictEqual(
                    events.map(({ seq }) => seq),
                    events.map((_, index) => index),
                  )
                  assert.deepStrictEqual(plain(resultOf(events)), plain(result))
                }),
              ),
            ),
        ),
        { numRuns: cases(20, 2) },
      ),
    ),
  )

  it.live("returns its recorded end without work if it has ended", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { happened, pipeline } = yield* worldOf
        const store = storeAt(newFile())
        const first = yield* run(pipeline, {}, { store, run: "r" })
        const count = happened.length
        const again = yield* run(pipeline, {}, { store, run: "r" })
        assert.deepStrictEqual(again, JSON.parse(JSON.stringify(first)))
        assert.strictEqual(happened.length, count)
        assert.strictEqual((yield* store.show("r"))?.epoch, 1)
      }),
    ),
  )

  it.live("runs `finally` again after a cancel, for an end of its own", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { happened, pipeline } = yield* worldOf
        const store = storeAt(newFile())
        const { reached, store: hanging } = waitingAt(store, (name) => name.startsWith("each"))
        const fiber = yield* Effect.forkChild(run(pipeline, {}, { store: hanging, run: "r" }))
        yield* Deferred.await(reached)
        yield* Fiber.interrupt(fiber)
        assert.strictEqual((yield* store.show("r"))?.status, "cancelled")
        const result = yield* resume(pipeline, "r", { store })
        assert.strictEqual(result.status, "succeeded")
        assert.strictEqual(result.stages["tidy"]?.outcome, "success")
        assert.strictEqual(result.stages["tidy~2"]?.outcome, "success")
        const whole = yield* atOnce({})
        const tidied = ["tool r/tidy~2/tool:double", "own tidy~2 1"]
        assert.deepStrictEqual(happened.toSorted(), [...whole.happened, ...tidied].toSorted())
        const record = yield* store.show("r")
        assert.strictEqual(record?.status, "succeeded")
        assert.isFalse(record?.active)
      }),
    ),
  )

  it.live("by another process: the previous owner does and records nothing more", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { happened, pipeline } = yield* worldOf
        const path = newFile()
        const {
          gate,
          reached,
          store: frozen,
        } = waitingAt(storeAt(path), (name) => name === "each[1]")
        const heard: Array<string> = []
        const old = yield* Effect.forkChild(
          run(
            pipeline,
            {},
            {
              store: frozen,
              run: "r",
              onUnrecorded: ({ reason }) => heard.push(reason),
            },
          ),
        )
        yield* Deferred.await(reached)
        const store = storeAt(path)
        const result = yield* resume(pipeline, "r", { store })
        const [steps, events] = [yield* store.steps("r"), yield* store.events("r")]
        const count = happened.length
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.await(old)
        assert.strictEqual(happened.length, count)
        assert.deepStrictEqual(heard, ["fenced"])
        assert.deepStrictEqual(yield* store.steps("r"), steps)
        assert.deepStrictEqual(yield* store.events("r"), events)
        assert.strictEqual(result.status, "succeeded")
      }),
    ),
  )

  it.live("fails like any other run if the store cannot be opened", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { happened, pipeline } = yield* worldOf
        const full = storeAt(newFile(), { maxPages: 26 })
        const list = Array.from({ length: 50_000 }, (_, index) => index)
        const failed = yield* Effect.flip(run(pipeline, { list }, { store: full }))
        assert.strictEqual(failed._tag === "RunFailed" ? failed.reason.class : "", "store")
        assert.match(failed.message, /no space left/)
        assert.deepStrictEqual(happened, [])
        const none = yield* Effect.flip(resume(pipeline, "none", { store: full }))
        assert.strictEqual(none._tag === "StoreFailed" ? none.reason : "", "missing")
      }),
    ),
  )
})
