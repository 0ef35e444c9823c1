/** Loads the SDK of a service, which is an optional package of the `planloom` command. */
import { missingPackage } from "@planloom/plugin/late"
import type { ModelFailed } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { toModelFailed } from "./ProviderError.ts"

/** Fails with `no_model` if the package `name` is not installed, so that the next model of `try` is asked. */
export const loadSdk =
  <A>(name: string, load: () => Promise<A>) =>
  (model: string): Effect.Effect<A, ModelFailed> =>
    Effect.suspend(() => Effect.promise(() => load().then(succeed, failure(name, model)))).pipe(
      Effect.flatten,
    )

const succeed = <A>(loaded: A): Effect.Effect<A, ModelFailed> => Effect.succeed(loaded)

const failure =
  (name: string, model: string) =>
  (error: unknown): Effect.Effect<never, ModelFailed> => {
    const message = missingPackage(name, error)
    return message === undefined
      ? Effect.die(error)
      : Effect.fail(toModelFailed(model, { class: "no_model", message, unsent: true }))
  }
