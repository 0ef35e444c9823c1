/** One turn: a run that may be cancelled by itself, and its result however it ended. */
import type { RunEvent, Wait } from "@planloom/plugin"
import type { Cause } from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Semaphore from "effect/Semaphore"
import type { RunOptions, RunResult } from "@planloom/core"
import { usage, type Refused } from "../Refused.ts"
import type { Talk } from "./Talk.ts"

/** What every run of the conversation is given. */
export type Hearing = Required<Pick<RunOptions, "answer" | "onEvent">>

/** `begin` runs, or goes on with a run of which `earlier` was told. */
export const takeTurn = (
  talk: Talk,
  begin: (hearing: Hearing) => Effect.Effect<RunResult, unknown>,
  earlier: ReadonlyArray<RunEvent> = [],
): Effect.Effect<RunResult, Refused> =>
  Effect.gen(function* () {
    const { RunFold } = yield* Effect.promise(() => import("@planloom/core"))
    const fold = new RunFold()
    for (const event of earlier) fold.push(event)
    // Parallel stages ask one after another.
    const asking = Semaphore.makeUnsafe(1)
    const fiber = yield* Effect.forkChild(
      begin({
        answer: (wait: Wait) =>
          asking.withPermits(1)(Effect.promise((signal) => talk.ask(wait, signal))),
        onEvent: (event) => {
          fold.push(event)
          talk.hear(event)
        },
      }),
    )
    talk.begin(() => fiber.interruptUnsafe())
    const exit = yield* Effect.onInterrupt(Fiber.await(fiber), () => Fiber.interrupt(fiber))
    const result = Exit.isSuccess(exit) ? exit.value : fold.result()
    if (Exit.isFailure(exit) && result.status === "running") {
      const error = Exit.findErrorOption(exit)
      if (error._tag === "None") return yield* Effect.failCause(exit.cause as Cause<never>)
      return yield* usage((error.value as Error).message)
    }
    talk.end(result)
    return result
  })
