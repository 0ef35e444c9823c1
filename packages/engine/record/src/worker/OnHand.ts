/** The run whose code executes at present, also in the timers, promises and callbacks that the code has left behind. */
import { AsyncLocalStorage } from "node:async_hooks"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { StageFailed } from "@planloom/plugin/effect"
import type { RunOptions } from "@planloom/core"
import type { Place } from "@planloom/core/internal"

/** What a worker knows of code that executes: its run, and the component that it belongs to. */
export interface OnHand {
  readonly run: string
  readonly workflow: string
  /** Undefined while code of the engine executes for the run. */
  readonly place: Place | undefined
  readonly failure: Deferred.Deferred<never, StageFailed>
}

const context = new AsyncLocalStorage<OnHand | undefined>()

/** Follows which runs are under way. */
export interface RunFollower {
  begins(run: string): void
  ends(run: string): void
}

const underWay = new Set<string>()
const followers = new Set<RunFollower>()

/** Gives the follower the runs under way, and each change until the returned function is called. */
export const onUnderWay = (follower: RunFollower): (() => void) => {
  followers.add(follower)
  for (const run of underWay) follower.begins(run)
  return () => void followers.delete(follower)
}

/** The run on hand; undefined while code executes that belongs to no run. */
export const onHand = (): OnHand | undefined => context.getStore()

/** Executes the run so that its code can be recognized. The work leaves the context when it ends. */
export const asOnHand = <A, E>(
  { run, workflow }: Pick<OnHand, "run" | "workflow">,
  work: (options: Pick<RunOptions, "onPlace" | "failure">) => Effect.Effect<A, E>,
): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const failure = Deferred.makeUnsafe<never, StageFailed>()
    const enter = (place: Place | undefined) => context.enterWith({ run, workflow, place, failure })
    enter(undefined)
    underWay.add(run)
    for (const follower of followers) follower.begins(run)
    return Effect.onExitPrimitive(
      work({ onPlace: enter, failure: Deferred.await(failure) }),
      () => {
        context.enterWith(undefined)
        underWay.delete(run)
        for (const follower of followers) follower.ends(run)
        // Nothing can fail a run that has ended.
        Deferred.doneUnsafe(failure, Effect.never)
        return undefined
      },
    )
  })

/** Starts work that belongs to no run, such as loading a workflow for all of its runs. */
export const outsideRuns = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    context.enterWith(undefined)
    return work
  })

/** The workflow, stage and component on hand, for messages: `stage "pay" (acme/charge) of workflow "order"`. */
export const placeText = ({ place, workflow }: OnHand): string =>
  place === undefined
    ? `workflow "${workflow}"`
    : `stage "${place.stage}" (${place.component}) of workflow "${workflow}"`

/**
 * Fails the run whose code has thrown an error, or rejected a promise, for which nothing waits. To be called by the
 * host's listeners of `uncaughtException` and `unhandledRejection`. Returns false if the error belongs to no run that is
 * under way: then the host decides.
 */
export const failRunOf = (error: unknown): boolean => {
  const hand = onHand()
  if (hand === undefined) return false
  const { failure, place } = hand
  const thrown = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return Deferred.doneUnsafe(
    failure,
    Effect.fail(
      new StageFailed({
        class: "internal",
        message: `${placeText(hand)} left an error that nothing waited for: ${thrown}`,
        ...(place === undefined ? {} : { stage: place.path }),
        ...(error instanceof Error && error.stack !== undefined
          ? { detail: { stack: error.stack } }
          : {}),
      }),
    ),
  )
}
