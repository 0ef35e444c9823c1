/** Ends the pause of a loop early, or skips its next one. */
import * as Effect from "effect/Effect"

export class WakeSignal {
  isSet = false
  private end: (() => void) | undefined

  set(): void {
    this.isSet = true
    this.end?.()
  }

  clear(): void {
    this.isSet = false
  }

  /** Waits for the signal, at most `ms`; not at all while it is set. */
  pause(ms: number): Effect.Effect<void> {
    return Effect.suspend(() =>
      this.isSet
        ? Effect.void
        : Effect.raceFirst(
            Effect.sleep(ms),
            Effect.callback<void>((resume) => {
              this.end = () => resume(Effect.void)
              return Effect.sync(() => {
                this.end = undefined
              })
            }),
          ),
    )
  }
}
