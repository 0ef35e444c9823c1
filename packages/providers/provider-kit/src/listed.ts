/** The answer of a provider to whether its service lists a model, by a request for that model. */
import * as Effect from "effect/Effect"
import type { ModelFailed } from "@planloom/plugin/effect"

/** `request` succeeds if the service has the model; its message says why not. */
export const listed = (
  request: Effect.Effect<unknown, ModelFailed>,
): Effect.Effect<true | string> =>
  Effect.match(request, {
    onSuccess: () => true as const,
    onFailure: ({ message }) => message,
  })
