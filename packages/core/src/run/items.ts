/** `for_each`: one occurrence for each item of a list, in order, so many at once. */
import * as Effect from "effect/Effect"
import { StageFailed, type Failure, type FailureRecord, type Json } from "@planloom/plugin"
import {
  leaving,
  misfitOf,
  occurrence,
  runFallback,
  started,
  tellFailed,
  tellFinished,
  unlessInterrupted,
  type Place,
} from "./place.ts"
import { evaluated } from "./stage.ts"

/** A list in, a list out, in order. An item that fails under `on_error: continue` leaves `null`. */
export const eachItem = (place: Place): Effect.Effect<Json, Failure> => {
  const { frame, node, path } = place
  const { as, in: source, maxParallel } = node.forEach!
  const items = evaluated(source.evaluate, frame.scope)
  if (items instanceof StageFailed) return Effect.fail(items)
  if (!Array.isArray(items)) {
    return Effect.fail(
      new StageFailed({
        class: "invalid_request",
        message: `\`for_each.in\` of "${node.id}" is not a list`,
      }),
    )
  }
  const block = node.work.type === "block"
  return Effect.forEach(
    items as ReadonlyArray<Json>,
    (item, index) => {
      const scope = { ...frame.scope, [as]: item, index }
      return oneItem({
        ...place,
        path: `${path}[${index}]`,
        frame: {
          ...frame,
          scope: block ? { ...scope, stages: { ...frame.scope.stages } } : scope,
        },
      })
    },
    { concurrency: maxParallel },
  )
}

const oneItem = (place: Place): Effect.Effect<Json, Failure> => {
  started(place)
  return Effect.matchCauseEffect(occurrence(place), {
    onSuccess: (output): Effect.Effect<Json, Failure> => {
      const wrong = misfitOf(place, output)
      if (wrong !== undefined) return failedItem(place, wrong)
      tellFinished(place, output)
      return Effect.succeed(output)
    },
    onFailure: (cause) => unlessInterrupted(cause, (failure) => failedItem(place, failure)),
  })
}

const failedItem = (place: Place, failure: FailureRecord): Effect.Effect<Json, Failure> => {
  tellFailed(place, failure)
  switch (place.node.onError) {
    case "continue":
      return Effect.succeed(null)
    case "fallback":
      return Effect.tap(runFallback(place), (output) =>
        Effect.sync(() => tellFinished(place, output)),
      )
    case "fail":
      return Effect.fail(leaving(place, failure))
  }
}
