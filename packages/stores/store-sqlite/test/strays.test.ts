/** Errors that nothing waits for fail the run that they come from, however its code was resumed, and no other. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import * as fc from "fast-check"
import { definePlugin, stageKind } from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import { failRunOf, worker } from "@planloom/record/worker"
import { cases } from "../../../../.config/cases.ts"
import { newFile, storeAt } from "./store.ts"

const text = `apiVersion: planloom/v1
kind: Workflow
name: walks
inputs: { ways: { type: array, items: { type: string } }, strays: { type: boolean } }
stages:
  - { id: first, uses: walk, with: { ways: "\${{ inputs.ways }}", strays: false } }
  - { id: second, uses: walk, with: { ways: "\${{ inputs.ways }}", strays: "\${{ inputs.strays }}" } }
`

/** The waiting one of two stages, of any runs, that meet: the other one resumes it. */
const meeting = () => {
  let waiting: Deferred.Deferred<void> | undefined
  return Effect.suspend(() => {
    if (waiting !== undefined) {
      const other = waiting
      waiting = undefined
      return Effect.asVoid(Deferred.succeed(other, undefined))
    }
    const own = (waiting = Deferred.makeUnsafe<void>())
    const alone = Effect.delay(
      Effect.sync(() => {
        if (waiting === own) waiting = undefined
      }),
      5,
    )
    return Effect.raceFirst(Deferred.await(own), alone)
  })
}

const hop = () => new Promise<void>((resolve) => setTimeout(resolve, 1))

const walks = () => {
  const meet = meeting()
  const ways: { readonly [way: string]: Effect.Effect<unknown> } = {
    meet,
    sleep: Effect.sleep(1),
    promise: Effect.promise(hop),
    fork: Effect.flatMap(Effect.forkChild(Effect.sleep(1)), Fiber.join),
    yield: Effect.yieldNow,
  }
  return definePlugin({
    id: "walks",
    summary: "Stages that are resumed in many ways.",
    components: {
      stages: [
        stageKind<{ readonly ways: ReadonlyArray<string>; readonly strays: boolean }>({
          id: "walk",
          summary: "Goes the ways.",
          input: { type: "object", additionalProperties: true },
          output: true,
          run: (given) =>
            Effect.andThen(
              Effect.forEach(given.ways, (way) => ways[way]!),
              Effect.suspend(() => {
                if (!given.strays) return Effect.succeed("there")
                setTimeout(() => {
                  // As the listeners of the process call it; the test's own would take the error.
                  assert.isTrue(failRunOf(new Error("stray")))
                  assert.isFalse(failRunOf(new Error("one more")))
                }, 1)
                return Effect.never
              }),
            ),
        }),
      ],
    },
  })
}

const walk = fc.record({
  ways: fc.array(fc.constantFrom("meet", "sleep", "promise", "fork", "yield"), { maxLength: 5 }),
  strays: fc.boolean(),
})

type Walk = typeof walk extends fc.Arbitrary<infer A> ? A : never

const endOf = (given: ReadonlyArray<Walk>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const store = storeAt(newFile())
      const ready = yield* load("/unsaved/walks.yaml", {
        texts: new Map([["/unsaved/walks.yaml", text]]),
        extraPlugins: [walks()],
      })
      for (const [at, inputs] of given.entries()) {
        yield* store.write({
          run: `r${at}`,
          workflow: "walks",
          status: "running",
          inputs,
          startedAt: 1,
          steps: [],
          timers: {},
          waits: [],
          events: [],
        })
      }
      const all = yield* Deferred.make<void>()
      let ended = 0
      yield* worker(store, {
        concurrency: 6,
        load: () => Effect.succeed(ready),
        onEnd: () => {
          if (++ended === given.length) Deferred.doneUnsafe(all, Effect.void)
        },
      })
      yield* Deferred.await(all)
      return yield* Effect.forEach(given, (_, at) =>
        Effect.map(store.events(`r${at}`), (events) => events.at(-1)),
      )
    }),
  )

describe("a worker", () => {
  it("fails exactly the runs that errors come from which nothing waits for", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(walk, { minLength: 1, maxLength: 12 }), async (given) => {
        const ends = await Effect.runPromise(endOf(given))
        for (const [at, { strays }] of given.entries()) {
          const end = ends[at]
          if (!strays) assert.strictEqual(end?.type, "RunFinished")
          else
            assert.deepInclude(end?.type === "RunFailed" ? end.failure : undefined, {
              class: "internal",
              stage: "second",
              message: `stage "second" (walks/walk) of workflow "walks" left an error that nothing waited for: Error: stray`,
            })
        }
      }),
      { numRuns: cases(10) },
    )
  })

  it("leaves an error that belongs to no run to its host", () => {
    assert.isFalse(failRunOf(new Error("of the host")))
  })
})
