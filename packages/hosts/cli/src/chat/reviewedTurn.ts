/** Turns of a chat whose replies are shown and still reviewed: the user types meanwhile, and the next turn waits. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { Scope } from "effect/Scope"
import type { ChatChannel } from "./ChatChannel.ts"

/**
 * Starts a turn; returns once it has ended, or once only later reviews remain and the channel can read meanwhile. A turn that
 * is under way when the chat is interrupted ends with the scope, while its end can still be recorded.
 */
export const untilReview = <A, E>(
  channel: ChatChannel,
  turn: (onReview: (() => void) | undefined) => Effect.Effect<A, E>,
): Effect.Effect<Fiber.Fiber<A, E>, never, Scope> =>
  Effect.gen(function* () {
    const left = yield* Deferred.make<void>()
    const onReview = () => {
      channel.review?.()
      Deferred.doneUnsafe(left, Exit.void)
    }
    const fiber = yield* Effect.forkScoped(
      turn(channel.review === undefined ? undefined : onReview),
    )
    yield* Effect.raceFirst(Fiber.await(fiber), Deferred.await(left))
    return fiber
  })

/** Waits for the reviews of a turn before the next message, or the end of the chat; false if the user does not wait. */
export const isSettled = <A, E>(
  channel: ChatChannel,
  turn: Fiber.Fiber<A, E>,
): Effect.Effect<boolean> =>
  turn.pollUnsafe() === undefined
    ? Effect.raceFirst(
        Effect.as(Fiber.await(turn), true),
        Effect.callback<boolean>((resume) => channel.hold?.(() => resume(Effect.succeed(false)))),
      )
    : Effect.succeed(true)
