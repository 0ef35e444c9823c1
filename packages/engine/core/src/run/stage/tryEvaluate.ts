/** Evaluates an expression of a workflow; an expression that fails is a failure of the workflow, not a defect. */
import * as Effect from "effect/Effect"
import { StageFailed } from "@planloom/plugin/effect"
import { ExpressionFailed } from "@planloom/expression"

export const tryEvaluate = <S, A>(evaluate: (scope: S) => A, scope: S): A | StageFailed => {
  try {
    return evaluate(scope)
  } catch (error) {
    if (error instanceof ExpressionFailed) {
      return new StageFailed({ class: "invalid_request", message: error.message })
    }
    throw error
  }
}

/** The value as an effect. */
export const valueOf = <S, A>(evaluate: (scope: S) => A, scope: S): Effect.Effect<A, StageFailed> =>
  Effect.suspend(() => {
    const given = tryEvaluate(evaluate, scope)
    return given instanceof StageFailed ? Effect.fail(given) : Effect.succeed(given)
  })
