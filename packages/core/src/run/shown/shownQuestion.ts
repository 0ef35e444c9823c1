/** A question of a stage on its way through the gates of those that wrote it. */
import * as Effect from "effect/Effect"
import type { Json, Question, StageFailed } from "@planloom/plugin/effect"
import { blocked } from "./blocked.ts"
import type { Shown } from "./ShownSite.ts"

/** Fails with class `blocked` if a review blocks a text in it. */
export const shownQuestion = (
  question: Question,
  stage: string,
  review: <A extends Json>(value: A) => Effect.Effect<Shown<A>, StageFailed>,
): Effect.Effect<Question, StageFailed> => {
  const { message, options, show } = question
  const texts = {
    message,
    ...(options === undefined ? {} : { options }),
    ...(show === undefined ? {} : { show }),
  }
  return Effect.flatMap(review(texts), ({ isBlocked, value }) =>
    isBlocked
      ? Effect.fail(blocked(`the question of "${stage}"`))
      : Effect.succeed({ ...question, ...value }),
  )
}
