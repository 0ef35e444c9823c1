/** One call of a promise-style function: starts the effects of its context, and ends with all of them. */
import * as Cause from "effect/Cause"
import type { Context } from "effect/Context"
import * as Effect from "effect/Effect"
import * as Effectable from "effect/Effectable"
import * as Fiber from "effect/Fiber"

/** The interruption of a call. */
export type Interrupted = (call: AsyncCall<any, any>) => Effect.Effect<void>

/** As an effect it is its own interruption: a closure and a suspended effect for each call would take longer than the call. */
export class AsyncCall<A, E> extends Effectable.Class<void> {
  private isOpen = true
  private controller: AbortController | undefined
  /** Made with the first effect of the context: most functions run none. */
  private running: Set<Fiber.Fiber<unknown, unknown>> | undefined
  private readonly services: Context<never>
  private readonly resume: (outcome: Effect.Effect<A, E>) => void
  private readonly interrupted: Interrupted | undefined

  constructor(
    services: Context<never>,
    resume: (outcome: Effect.Effect<A, E>) => void,
    interrupted?: Interrupted,
  ) {
    super()
    this.services = services
    this.resume = resume
    this.interrupted = interrupted
  }

  override asEffect(): Effect.Effect<void> {
    return this.interrupted === undefined ? this.cancel() : this.interrupted(this)
  }

  /** Whether no effect of the context is running. */
  get isIdle(): boolean {
    return this.running === undefined || this.running.size === 0
  }

  /** Made on first use: most functions never read it. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController()
      if (!this.isOpen) this.controller.abort()
    }
    return this.controller.signal
  }

  /**
   * Runs an effect of the context. Only its failure rejects: a suspension, an interruption or a defect ends the call
   * instead, so that no `catch` of the author takes it for a failure. Nothing starts after the end of the call.
   */
  run<B>(effect: Effect.Effect<B, unknown>): Promise<B> {
    if (!this.isOpen) return new Promise(() => {})
    const running = (this.running ??= new Set())
    const fiber = Effect.runForkWith(this.services)(effect)
    running.add(fiber)
    const result = new Promise<B>((resolve, reject) => {
      fiber.addObserver((exit) => {
        running.delete(fiber)
        if (exit._tag === "Success") resolve(exit.value)
        else if (exit.cause.reasons.every(Cause.isFailReason)) reject(Cause.squash(exit.cause))
        else this.end(Effect.failCause(exit.cause as Cause.Cause<never>))
      })
    })
    // The engine has reported the failure; a promise that the author does not await must not end the process.
    result.catch(() => {})
    return result
  }

  /** The outcome of the function. Effects that it did not wait for are interrupted. */
  end(outcome: Effect.Effect<A, E>, isSuccess = false): void {
    if (!this.isOpen) return
    this.isOpen = false
    if (!isSuccess) this.controller?.abort()
    this.resume(this.isIdle ? outcome : Effect.andThen(this.interruptAll(), outcome))
  }

  /** The function is no longer waited for, even if its promise never settles. */
  cancel(): Effect.Effect<void> {
    this.isOpen = false
    this.controller?.abort()
    return this.interruptAll()
  }

  private interruptAll(): Effect.Effect<void> {
    return Fiber.interruptAll([...(this.running ?? [])])
  }
}
