/** Whether a model call gets its answer from the record, so that no hook surrounds it. */
import * as Effect from "effect/Effect"
import { ofModel } from "@planloom/plugin/segments"
import type { ModelChoice } from "../pipeline/resolveModel.ts"
import type { CallSite } from "./CallSite.ts"
import { leadsToAnotherModel } from "./fallback.ts"

/** `name` is that of the call, without a model. */
export const isAnswered = (
  site: CallSite,
  name: string,
  choices: ReadonlyArray<ModelChoice>,
): Effect.Effect<boolean> => {
  if (site.replays) return Effect.succeed(true)
  const from = (index: number): Effect.Effect<boolean> => {
    const choice = choices[index]
    return choice === undefined
      ? Effect.succeed(choices.length > 0)
      : Effect.flatMap(site.lookup(ofModel(name, choice.part)), (known) =>
          known === undefined
            ? Effect.succeed(false)
            : known.ok || !leadsToAnotherModel(known.failure)
              ? Effect.succeed(true)
              : from(index + 1),
        )
  }
  return from(0)
}
