/** Failures inside causes. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import {
  StoreFailed,
  toFailureRecord,
  Suspended,
  type Failure,
  type FailureRecord,
} from "@planloom/plugin/effect"

/** The failure a cause holds; a defect becomes one of class `internal`. Undefined for interruption or suspension alone. */
export const failureIn = (cause: Cause.Cause<Failure>): FailureRecord | undefined => {
  for (const reason of cause.reasons) {
    if (Cause.isFailReason(reason)) return toFailureRecord(reason.error)
  }
  for (const reason of cause.reasons) {
    if (Cause.isDieReason(reason)) {
      const { defect } = reason
      if (defect instanceof Suspended) continue
      if (defect instanceof StoreFailed) return { class: "store", message: defect.message }
      return defectFailure(defect)
    }
  }
  return undefined
}

/** A defect of a component or of the engine, with the stack of the code that threw. */
export const defectFailure = (defect: unknown): FailureRecord => ({
  class: "internal",
  message: defect instanceof Error ? `${defect.name}: ${defect.message}` : String(defect),
  ...(defect instanceof Error && defect.stack !== undefined
    ? { detail: { stack: defect.stack } }
    : {}),
})

/** Passes interruption and suspension through, which are not failures. */
export const unlessInterrupted = <A, E>(
  cause: Cause.Cause<Failure>,
  otherwise: (failure: FailureRecord) => Effect.Effect<A, E>,
): Effect.Effect<A, E> => {
  const failure = failureIn(cause)
  return failure === undefined
    ? (Effect.failCause(cause) as Effect.Effect<never, never>)
    : otherwise(failure)
}
