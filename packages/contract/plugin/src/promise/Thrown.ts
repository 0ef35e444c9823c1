/** What a promise-style function threw → its failure or defect. */
import * as Effect from "effect/Effect"
import { StoreFailed } from "../run/StoreFailed.ts"
import {
  ModelFailed,
  StageFailed,
  toFailureRecord,
  ToolFailed,
  type Failure,
} from "../run/Failure.ts"

/** The effect of an error that a function threw, or that its promise was rejected with. */
export type Thrown<E> = (error: unknown) => Effect.Effect<never, E>

/**
 * A typed failure keeps its class. Any other error is a defect: the engine reports it with its stack under the name of
 * the component.
 */
export const failureOrDefect: Thrown<Failure> = (error) =>
  isFailure(error) ? Effect.fail(error) : Effect.die(asError(error))

/** As `failureOrDefect`, for a component that may fail with `ModelFailed` only. */
export const modelFailure =
  (model: string): Thrown<ModelFailed> =>
  (error) => {
    if (!isFailure(error)) return Effect.die(asError(error))
    return Effect.fail(
      error._tag === "ModelFailed" ? error : new ModelFailed({ ...toFailureRecord(error), model }),
    )
  }

/** As `failureOrDefect`, for a component that may fail with `ToolFailed` only. */
export const toolFailure =
  (tool: string): Thrown<ToolFailed> =>
  (error) => {
    if (!isFailure(error)) return Effect.die(asError(error))
    return Effect.fail(
      error._tag === "ToolFailed" ? error : new ToolFailed({ ...toFailureRecord(error), tool }),
    )
  }

/** As `failureOrDefect`, for a component that may fail with `StageFailed` only. */
export const stageFailure: Thrown<StageFailed> = (error) => {
  if (!isFailure(error)) return Effect.die(asError(error))
  return Effect.fail(error._tag === "StageFailed" ? error : new StageFailed(toFailureRecord(error)))
}

/** For a recorded step, whose outcome must be data: an error becomes a failure of class `internal`. */
export const recordedFailure: Thrown<Failure> = (error) => {
  if (isFailure(error)) return Effect.fail(error)
  const cause = asError(error)
  const failure = new StageFailed({ class: "internal", message: cause.message })
  failure.cause = cause
  return Effect.fail(failure)
}

/** A typed failure of a store stays the same; any other error means that the store cannot be reached. */
export const storeFailure: Thrown<StoreFailed> = (error) => Effect.fail(asStoreFailed(error))

const storeTags = ["StoreFailed", "AnswerRefused"]

export const asStoreFailed = (error: unknown): StoreFailed => {
  const cause = asError(error)
  // `answer` of a store may also fail with `AnswerRefused`.
  if ("_tag" in cause && storeTags.includes(String(cause._tag))) return cause as StoreFailed
  const failure = new StoreFailed({ reason: "unavailable", message: cause.message })
  failure.cause = cause
  return failure
}

const tags = ["StageFailed", "ToolFailed", "ModelFailed"]

/** By its tag: a plugin may have a copy of this package of its own. */
const isFailure = (error: unknown): error is Failure =>
  error instanceof Error && "_tag" in error && "class" in error && tags.includes(String(error._tag))

const asError = (error: unknown): Error =>
  error instanceof Error
    ? error
    : new TypeError(`it threw a value that is not an Error: ${printed(error)}`)

const printed = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return Object.prototype.toString.call(value)
  }
}
