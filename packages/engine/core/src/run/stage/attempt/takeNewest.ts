/** Takes what may have changed since the last call of an attempt: models, and in a loop the tools. */
import * as Effect from "effect/Effect"
import type { ModelFailed } from "@planloom/plugin/effect"
import { followSwaps } from "../../surroundings/followSwaps.ts"
import type { ModelSite } from "./ModelSite.ts"

/** Undefined where neither can change. */
export const takeNewest = (
  site: ModelSite,
  isLoop: boolean,
): Effect.Effect<void, ModelFailed> | undefined => {
  const { pipeline, state } = site.frame
  const { liveTools } = pipeline
  const models = state.models && followSwaps(pipeline, state.models)
  if (!isLoop || liveTools === undefined) return models
  const tools = site.newestTools(liveTools)
  return models === undefined ? tools : Effect.andThen(models, tools)
}
