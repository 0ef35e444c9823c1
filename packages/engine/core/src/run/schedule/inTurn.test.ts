import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import type { StageFailed } from "@planloom/plugin/effect"
import { inTurn } from "./inTurn.ts"

/** Runs the works in turn and logs what happens; a result below 0 needs an effect before the next work. */
const logged = (
  works: ReadonlyArray<Effect.Effect<number, string>>,
  onFailure: (failure: string) => Effect.Effect<void, string> = () => Effect.void,
) =>
  Effect.gen(function* () {
    const log: Array<string> = []
    const left = [...works]
    const exit = yield* Effect.exit(
      inTurn({
        deadlines: undefined,
        next: () => left.shift(),
        succeeded: (result: number) => {
          log.push(`result ${result}`)
          return result < 0 ? Effect.sync(() => void log.push("rest")) : undefined
        },
        failed: (cause: Cause.Cause<string | StageFailed>) => {
          log.push(`failure ${String(Cause.squash(cause))}`)
          return onFailure("again")
        },
      }),
    )
    return { exit, log }
  })

describe("works in turn", () => {
  it.effect("continue after a failure that is handled, and after what a result asks for", () =>
    Effect.gen(function* () {
      const { exit, log } = yield* logged([
        Effect.succeed(-1),
        Effect.fail("first"),
        Effect.die("defect"),
        Effect.yieldNow.pipe(Effect.as(2)),
      ])
      assert.isTrue(Exit.isSuccess(exit))
      assert.deepStrictEqual(log, [
        "result -1",
        "rest",
        "failure first",
        "failure defect",
        "result 2",
      ])
    }),
  )

  it.effect("follow at once only after a result that asks for nothing", () =>
    Effect.gen(function* () {
      const works = [Effect.succeed(1), Effect.fail("no"), Effect.succeed(-1), Effect.succeed(2)]
      const follows: Array<boolean> = []
      yield* inTurn({
        deadlines: undefined,
        next: (at: boolean) => {
          follows.push(at)
          return works[follows.length - 1]
        },
        succeeded: (result: number) => (result < 0 ? Effect.void : undefined),
        failed: () => Effect.void,
      })
      assert.deepStrictEqual(follows, [false, true, false, false, true])
    }),
  )

  it.effect("end with the failure of the handler", () =>
    Effect.gen(function* () {
      const { exit, log } = yield* logged([Effect.fail("first"), Effect.succeed(1)], Effect.fail)
      assert.deepStrictEqual(exit, Exit.fail("again"))
      assert.deepStrictEqual(log, ["failure first"])
    }),
  )

  it.effect("end with a defect between two works, which no handler takes", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(
        inTurn({
          deadlines: undefined,
          next: () => Effect.succeed(1),
          succeeded: (): undefined => {
            throw new Error("between")
          },
          failed: () => Effect.die("handled"),
        }),
      )
      assert.strictEqual(Exit.isFailure(exit) && String(Cause.squash(exit.cause)), "Error: between")
    }),
  )

  it.effect("let other fibers run between works that never wait", () =>
    Effect.gen(function* () {
      let works = 0
      let at = -1
      const many = inTurn({
        deadlines: undefined,
        next: () => (works++ < 20_000 ? Effect.succeed(works) : undefined),
        succeeded: () => undefined,
        failed: () => Effect.void,
      })
      const other = Effect.sync(() => void (at = works))
      yield* Effect.all([many, other], { concurrency: "unbounded" })
      assert.isBelow(at, 20_000)
    }),
  )
})
