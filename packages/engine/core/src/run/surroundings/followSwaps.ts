/** Takes the models that the host of a run keeps in place of those of the workflow's file. */
import * as Effect from "effect/Effect"
import { ModelFailed, type ModelSwaps } from "@planloom/plugin/effect"
import type { Pipeline } from "../../pipeline/Pipeline.ts"

/** Fails with class `store` if they cannot be had: another model than the one in force may cost more, or be forbidden. */
export const followSwaps = (
  { models, name }: Pipeline,
  swaps: ModelSwaps,
): Effect.Effect<void, ModelFailed> =>
  Effect.matchEffect(swaps.current(name), {
    onSuccess: (swapped) => Effect.sync(() => models.follow(swapped)),
    onFailure: ({ message }) =>
      Effect.fail(
        new ModelFailed({
          class: "store",
          model: "",
          message: `the models of "${name}": ${message}`,
        }),
      ),
  })
