/** Turns of one session in two processes: the next one waits for the later reviews of the one before. */
import { assert, describe, it } from "@effect/vitest"
import { run } from "@planloom/core"
import type { Correction, RunEvent, RunStore } from "@planloom/plugin/effect"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { reviewedBy, talking } from "./reviewedBy.ts"
import { endOwners, newFile, newFolder, storeAt } from "./store.ts"

const retracted: Correction = { action: "retract", text: "Withdrawn." }

/** The reply to "a" is reviewed until `decided`; the others at once. */
const talk = (afterMs?: number) =>
  Effect.gen(function* () {
    const reviewing = yield* Deferred.make<void>()
    const decided = yield* Deferred.make<Correction | undefined>()
    const review = reviewedBy(
      (_, reply) =>
        reply === "Re a"
          ? Effect.andThen(Deferred.succeed(reviewing, undefined), Deferred.await(decided))
          : Effect.succeed(undefined),
      afterMs,
    )
    const pipeline = yield* talking(newFolder(), review)
    const file = newFile()
    const events: Array<RunEvent> = []
    const say = (store: RunStore, message: string, onEvent: (event: RunEvent) => void) =>
      run(pipeline, { message }, { store, session: "s", run: message, onEvent })
    const heard = (store: RunStore, message: string) =>
      say(store, message, (event) => void events.push(event))
    const [here, there] = [storeAt(file), storeAt(file)]
    const turns = Effect.map(here.sessions.load("s"), (session) =>
      session?.turns.map(({ assistant }) => assistant),
    )
    const first = yield* Effect.forkChild(Effect.exit(say(here, "a", () => {})))
    yield* Deferred.await(reviewing)
    const unreviewed = () =>
      events.flatMap((event) => (event.type === "SessionOpened" ? [event.unreviewed] : []))
    return { decided, file, first, heard, there, turns, unreviewed }
  })

/** Returns once a store has read the announced turns this often. */
const reads = (store: RunStore, count: number) =>
  Effect.gen(function* () {
    const enough = yield* Deferred.make<void>()
    let read = 0
    const watched: RunStore = Object.create(store, {
      sessions: {
        value: {
          ...store.sessions,
          announced: (session: string) =>
            Effect.tap(store.sessions.announced(session), () =>
              ++read === count ? Deferred.succeed(enough, undefined) : Effect.void,
            ),
        },
      },
    }) as RunStore
    return { watched, enough: Deferred.await(enough) }
  })

describe("the next turn of a session in another process", () => {
  it.live("waits for the reviews of the turn before, and sees the text as corrected", () =>
    Effect.gen(function* () {
      const { decided, first, heard, there, turns, unreviewed } = yield* talk()
      const { enough, watched } = yield* reads(there, 2)
      const second = yield* Effect.forkChild(heard(watched, "b"))
      yield* enough
      yield* Deferred.succeed(decided, retracted)
      assert.strictEqual((yield* Fiber.join(first))._tag, "Success")
      assert.strictEqual((yield* Fiber.join(second)).status, "succeeded")
      assert.deepStrictEqual(yield* turns, ["Withdrawn.", "Re b"])
      assert.deepStrictEqual(unreviewed(), [undefined])
    }),
  )

  it.live("starts at once when that process has ended, and reports the turn that is missing", () =>
    Effect.gen(function* () {
      const { decided, file, first, heard, there, turns, unreviewed } = yield* talk()
      endOwners(file)
      assert.strictEqual((yield* heard(there, "b")).status, "succeeded")
      assert.deepStrictEqual(unreviewed(), ["a"])
      yield* Deferred.succeed(decided, retracted)
      const ended = JSON.stringify(yield* Fiber.join(first))
      assert.include(ended, "the run b came first")
      assert.deepStrictEqual(yield* turns, ["Re b"])
    }),
  )

  it.live("starts when the reviews take longer than they may, and reports that turn", () =>
    Effect.gen(function* () {
      const { decided, first, heard, there, turns, unreviewed } = yield* talk(0)
      assert.strictEqual((yield* heard(there, "b")).status, "succeeded")
      assert.deepStrictEqual(unreviewed(), ["a"])
      // The turn that did not come to its save is reported once.
      assert.strictEqual((yield* heard(there, "c")).status, "succeeded")
      assert.deepStrictEqual(unreviewed(), ["a", undefined])
      yield* Deferred.succeed(decided, undefined)
      yield* Fiber.join(first)
      assert.deepStrictEqual(yield* turns, ["Re b", "Re c"])
    }),
  )
})
