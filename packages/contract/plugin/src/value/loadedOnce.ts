/** A module that is loaded with its first use and is at hand after it. */
import * as Effect from "effect/Effect"

export { missingPackage } from "../host/missingPackage.ts"

/**
 * Later uses do not wait: an `import()` of a loaded module still takes turns of the event loop. The effect of a loaded
 * module is a value, so that `flatMapEager` uses it without a step.
 */
export const loadedOnce = <A>(load: () => Promise<A>): (() => Effect.Effect<A>) => {
  let loaded: Effect.Effect<A> | undefined
  return () =>
    loaded ??
    Effect.map(Effect.promise(load), (made) => {
      loaded = Effect.succeed(made)
      return made
    })
}
