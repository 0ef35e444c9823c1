/** How the world can go wrong, in classes that retry policies name. */
import * as Data from "effect/Data"
import type { Json } from "./Json.ts"
import type { Usage } from "./Model.ts"

/** Every class of failure a policy's `on:` may name, with what it means. */
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
  no_model: "no model is configured for the stage, or the service does not have it",
  clarification: "the workflow needs an answer from the user before it can go on",
  cancelled: "the run was cancelled, or refused by its concurrency group",
  conflict: "another run of the same session came first, or is still open",
  store: "the run cannot be recorded, or its record cannot be read",
  internal: "a defect in a plugin or in the engine",
} as const

export type FailureClass = keyof typeof failureClasses

/** What every failure carries; this is also how it is written into events and the journal. */
export interface FailureRecord {
  readonly class: FailureClass
  /** One sentence for a person. Never holds a secret. */
  readonly message: string
  /** Data for the next attempt or for a report: validation errors, a coverage payload, a question. */
  readonly detail?: Json
  /** The service's own wish for a pause before the next attempt, in milliseconds. */
  readonly retryAfter?: number
  /** What a model call has used although it failed, where the service told: a refusal costs, too. */
  readonly usage?: Usage
  /**
   * Of a model call whose request has reached nobody: no connection came about, or there is no key to send. It
   * counts in no budget.
   */
  readonly unsent?: true
  /** `provider/model`, of a model call. */
  readonly model?: string
  /** Path of the stage where it began, once it has left that stage. */
  readonly stage?: string
}

/** A stage could not give its output. */
export class StageFailed extends Data.TaggedError("StageFailed")<FailureRecord> {}

/** A tool call could not give its result. */
export class ToolFailed extends Data.TaggedError("ToolFailed")<
  FailureRecord & { readonly tool: string }
> {}

/** A model call could not give its reply. `model` is `provider/model`, or `none` where there is none to ask. */
export class ModelFailed extends Data.TaggedError("ModelFailed")<
  FailureRecord & { readonly model: string }
> {}

/** Everything a stage's work may fail with. */
export type Failure = StageFailed | ToolFailed | ModelFailed

/** The plain data of a failure: what events and the journal hold. */
export const toFailureRecord = (failure: FailureRecord): FailureRecord => ({
  class: failure.class,
  message: failure.message,
  ...(failure.detail === undefined ? {} : { detail: failure.detail }),
  ...(failure.retryAfter === undefined ? {} : { retryAfter: failure.retryAfter }),
  ...(failure.usage === undefined ? {} : { usage: failure.usage }),
  ...(failure.unsent === undefined ? {} : { unsent: failure.unsent }),
  ...(failure.model === undefined || failure.model === "none" ? {} : { model: failure.model }),
  ...(failure.stage === undefined ? {} : { stage: failure.stage }),
})

/** Who failed, how and why, in one line: `local/big: auth: the key is refused`. */
export const reasonOf = ({ class: failure, message, model }: FailureRecord): string =>
  // Without a model to ask, the message says just that.
  model === undefined && failure === "no_model"
    ? message
    : [...(model === undefined ? [] : [model]), failure, message].join(": ")
