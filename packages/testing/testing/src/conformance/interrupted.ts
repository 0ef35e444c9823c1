/** Whether work ends when it is interrupted. */
import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"

/** Milliseconds of the real clock that stopping may take: far more than it should, for slow machines. */
const PATIENCE = 2000

/** Starts the work, interrupts it once `started` resolves, and expects it gone at once. */
export const expectInterruptible = async (
  work: Effect.Effect<unknown, unknown>,
  started: Promise<void>,
  what: string,
): Promise<void> => {
  const fiber = Effect.runFork(work)
  const early = await Promise.race([started, Effect.runPromise(Fiber.await(fiber))])
  assert.equal(early, undefined, `${what} ended before it made a call`)
  const stopped = await Effect.runPromise(
    Effect.timeoutOption(Effect.andThen(Fiber.interrupt(fiber), Fiber.await(fiber)), PATIENCE).pipe(
      Effect.interruptible,
    ),
  )
  assert.equal(
    stopped._tag,
    "Some",
    `${what} was still running ${PATIENCE} ms after it was interrupted`,
  )
  if (stopped._tag !== "Some") return
  assert.ok(Exit.isFailure(stopped.value), `${what} ended as if nothing had happened`)
}
