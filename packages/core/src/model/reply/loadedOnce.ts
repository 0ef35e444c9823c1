/** A module that is loaded with its first use and is at hand after it. */
import * as Effect from "effect/Effect"

/** Later uses do not wait: an `import()` of a loaded module still takes turns of the event loop. */
export const loadedOnce = <A>(load: () => Promise<A>): Effect.Effect<A> => {
  let loaded: A | undefined
  return Effect.suspend(() =>
    loaded === undefined
      ? Effect.map(Effect.promise(load), (made) => (loaded = made))
      : Effect.succeed(loaded),
  )
}
