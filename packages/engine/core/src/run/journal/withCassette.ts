/** Runs with a cassette: saves the recording at the end, and fails when a replayed recording does not match. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { StageFailed, type Journal, type StoreFailed } from "@planloom/plugin/effect"
import type { Cassette } from "../../model/Cassette.ts"
import { failureIn } from "../stage/failureIn.ts"

/** Saves the recording when the run ends, whatever its outcome. */
export const saved = <A, E>(
  cassette: Cassette | undefined,
  onUnrecorded: ((failure: StoreFailed) => void) | undefined,
  whole: Effect.Effect<A, E>,
): Effect.Effect<A, E> =>
  cassette === undefined
    ? whole
    : Effect.onExit(whole, (exit) =>
        Effect.catch(cassette.save(isCancelled(exit)), (failure) =>
          Effect.sync(() => onUnrecorded?.(failure)),
        ),
      )

const isCancelled = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && failureIn(exit.cause as Parameters<typeof failureIn>[0]) === undefined

/** Skips pauses between attempts when a cassette is replayed. */
export const unhurried = (cassette: Cassette | undefined, journal: Journal): Journal =>
  cassette?.replays === true
    ? (Object.create(journal, { sleep: { value: () => Effect.void } }) as Journal)
    : journal

/** Fails when the recording does not match the run, even if its stages handled that; `detail` distinguishes it from a store failure. */
export const fitting = <A>(
  cassette: Cassette | undefined,
  work: Effect.Effect<A, StageFailed>,
): Effect.Effect<A, StageFailed> => {
  if (cassette === undefined) return work
  const checked = (ended: boolean): Effect.Effect<void, StageFailed> =>
    Effect.suspend(() => {
      const problems = cassette.problems(ended)
      return problems.length === 0
        ? Effect.void
        : Effect.fail(
            new StageFailed({
              class: "store",
              message: problems.join("\n"),
              detail: { cassette: "stale" },
            }),
          )
    })
  return Effect.tap(
    Effect.catch(work, (failure) => Effect.andThen(checked(false), Effect.fail(failure))),
    () => checked(true),
  )
}
