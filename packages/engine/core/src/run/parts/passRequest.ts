/** Passes the request of a turn whose reply is a value through the gate, with what calls have brought back, before its model is asked. */
import * as Effect from "effect/Effect"
import { failureClasses, ModelFailed, toFailureRecord } from "@planloom/plugin/effect"
import { loadedOnce } from "@planloom/plugin/late"
import { settledText } from "../../reply/parts/settledText.ts"
import { draftOf, gateContext, type GatedCall } from "./openGate.ts"

const streamModule = loadedOnce(() => import("effect/Stream"))

/** Fails with class `blocked` if a review blocks it. Reviewers of replies have no text to read yet. */
export const passRequest = (call: GatedCall): Effect.Effect<void, ModelFailed> => {
  const { hookSite, occurrence } = call.site
  const { gate } = occurrence.node
  if (gate === undefined) return Effect.void
  return Effect.flatMap(streamModule(), (streams) => {
    const open = gate.open(draftOf(occurrence, hookSite), gateContext(call, { isValue: true }))
    const settled = Effect.mapError(settledText(streams, open(streams.empty)), (failure) =>
      failed(toFailureRecord(failure)),
    )
    return Effect.flatMap(settled, ({ blocked }) =>
      blocked === true
        ? Effect.fail(failed({ class: "blocked", message: failureClasses.blocked }))
        : Effect.void,
    )
  })
}

const failed = (failure: Omit<ConstructorParameters<typeof ModelFailed>[0], "model">) =>
  new ModelFailed({ ...failure, model: "none" })
