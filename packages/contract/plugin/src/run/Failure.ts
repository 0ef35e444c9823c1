/** Typed failures, in classes that retry policies refer to. */
import * as Data from "effect/Data"
import type { Json } from "../value/Json.ts"
import type { Usage } from "./Usage.ts"

/** Failure classes for a policy's `on:`, with their meaning. */
export const failureClasses = {
  rate_limit: "the service asked to slow down",
  overloaded: "the service is over its capacity",
  timeout: "no answer within the declared time",
  unavailable: "the service cannot be reached, or answered with a server error",
  auth: "no key, or a key that is refused",
  invalid_request: "the request was refused as malformed; the same request will fail again",
  content_filter: "the provider refused the content",
  context_length: "the prompt is longer than the model reads",
  too_large: "the reply is larger than `max_reply_bytes` of its provider",
  invalid_output: "the output does not fit its schema",
  tool_error: "a tool ran and failed",
  budget: "a declared budget is spent",
  assertion: "an `assert` did not hold",
  not_allowed: "the configuration does not allow it, whatever the arguments are",
  blocked: "a review blocked the content",
  no_model: "no model is configured for the stage, or the service does not have it",
  clarification: "the workflow needs an answer from the user to continue",
  cancelled: "the run was cancelled, or refused by its concurrency group",
  conflict: "another run of the same session came first, or is still open",
  store: "the run cannot be recorded, or its record cannot be read",
  internal: "a defect in a plugin or in the engine",
} as const

export type FailureClass = keyof typeof failureClasses

/** Failures that may pass by themselves: the same request may succeed later. */
export const transientFailures: ReadonlyArray<FailureClass> = [
  "rate_limit",
  "overloaded",
  "timeout",
  "unavailable",
]

/** Data of a failure, as recorded in events and the journal. */
export interface FailureRecord {
  readonly class: FailureClass
  /** One sentence for people. Never contains a secret. */
  readonly message: string
  /** Data for the next attempt or for a report: validation errors, a coverage payload, a question. */
  readonly detail?: Json
  /** Delay before the next attempt that the service requested, in milliseconds. */
  readonly retryAfter?: number
  /** Tokens used by a failed model call, if the service reported them: refusals are billed, too. */
  readonly usage?: Usage
  /**
   * Set if the request of a model call was not sent: no connection, or no key. Such a call does not count against
   * budgets.
   */
  readonly unsent?: true
  /** `provider/model` of a model call. */
  readonly model?: string
  /** Path of the stage where the failure originated, once it has left that stage. */
  readonly stage?: string
}

/** A stage failed to produce its output. */
export class StageFailed extends Data.TaggedError("StageFailed")<FailureRecord> {}

/** A tool call failed. */
export class ToolFailed extends Data.TaggedError("ToolFailed")<
  FailureRecord & { readonly tool: string }
> {}

/** A model call failed. `model` is `provider/model`, or `none` without a model. */
export class ModelFailed extends Data.TaggedError("ModelFailed")<
  FailureRecord & { readonly model: string }
> {}

/** All failures of a stage's work. */
export type Failure = StageFailed | ToolFailed | ModelFailed

/**
 * Converts a failure to plain data for events and the journal. A component in plain JavaScript may fail with any value: one
 * without a known class becomes a failure of class `internal`.
 */
export const toFailureRecord = (failure: FailureRecord): FailureRecord =>
  isClassified(failure)
    ? {
        class: failure.class,
        message: failure.message,
        ...(failure.detail === undefined ? {} : { detail: failure.detail }),
        ...(failure.retryAfter === undefined ? {} : { retryAfter: failure.retryAfter }),
        ...(failure.usage === undefined ? {} : { usage: failure.usage }),
        ...(failure.unsent === undefined ? {} : { unsent: failure.unsent }),
        ...(failure.model === undefined || failure.model === "none"
          ? {}
          : { model: failure.model }),
        ...(failure.stage === undefined ? {} : { stage: failure.stage }),
      }
    : unclassified(failure)

const isClassified = (failure: unknown): failure is FailureRecord =>
  typeof failure === "object" &&
  failure !== null &&
  "class" in failure &&
  Object.hasOwn(failureClasses, failure.class as PropertyKey) &&
  "message" in failure &&
  typeof failure.message === "string"

const unclassified = (failure: unknown): FailureRecord => ({
  class: "internal",
  message: `a component failed with an unknown failure: ${
    failure instanceof Error ? `${failure.name}: ${failure.message}` : inspected(failure)
  }`,
  ...(failure instanceof Error && failure.stack !== undefined
    ? { detail: { stack: failure.stack } }
    : {}),
})

const inspected = (value: unknown): string => {
  try {
    return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value))
  } catch {
    return String(value)
  }
}

/** Formats a failure in one line: `local/big: auth: the key is refused`. */
export const reasonOf = ({ class: failure, message, model }: FailureRecord): string =>
  // The message already states that there is no model.
  model === undefined && failure === "no_model"
    ? message
    : [...(model === undefined ? [] : [model]), failure, message].join(": ")
