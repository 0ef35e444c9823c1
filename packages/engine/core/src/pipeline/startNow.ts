/** Makes an effect at once, as `Effect.suspend` makes it later: an exception is its defect. */
import * as Effect from "effect/Effect"

/** Of work that begins when it is asked for: a suspended effect would take a step more. */
export const startNow = <A, E>(make: () => Effect.Effect<A, E>): Effect.Effect<A, E> => {
  try {
    return make()
  } catch (defect) {
    return Effect.die(defect)
  }
}
