/** Reviews of text: validators, shadow subagents and the gate through which a model's text leaves the engine. */
import type { Effect } from "effect/Effect"
import type { Stream } from "effect/Stream"
import type { CallContext } from "./CallContext.ts"
import type { Failure, ModelFailed } from "./Failure.ts"
import type { Finding, Verdict } from "./Finding.ts"
import type { Json, JsonObject, JsonSchema } from "./Json.ts"
import type { ModelClient } from "./ModelClient.ts"
import type { SessionTurn } from "./Session.ts"
import type { CallRecord } from "./CallRecord.ts"

/** The text under review and what led to it. */
export interface Draft {
  /** What the user asked for. */
  readonly request: string
  readonly text: string
  /** The part of a streamed text that is new. */
  readonly part: { readonly start: number; readonly end: number; readonly last: boolean }
  /** Earlier turns of the session. */
  readonly turns: ReadonlyArray<SessionTurn>
  readonly calls: ReadonlyArray<CallRecord>
  /** Data behind the text, such as the stage's output. */
  readonly data: Json
}

/** The text that a stage kind wants reviewed; the rest of its draft is known to the engine or left empty. */
export type ReviewDraft = Pick<Draft, "text"> & Partial<Omit<Draft, "text">>

/** Id of a subagent or validator, alone or with its options. */
export type ReviewUse = string | { readonly use: string; readonly with?: JsonObject }

/** A reviewer that may use a model. */
export interface Subagent<With = JsonObject> {
  readonly id: string
  readonly summary: string
  readonly class: "safety" | "compliance" | "quality" | "tone" | "context" | "intent"
  /** Verdicts it may give; any other is a failure of it. */
  readonly can: ReadonlyArray<Verdict>
  /** `input`: the request before anything runs. `window`: a moving part of the text. `whole`: the complete text. */
  readonly at: "input" | "window" | "whole"
  /** Of `window`: the longest text it may match, in characters. */
  readonly longest?: number
  /** Whether its findings say where. */
  readonly spans?: true
  /** How much of the conversation it reads. */
  readonly scope: "last" | "turn" | "conversation"
  /** JSON Schema of its `with`. */
  readonly input?: JsonSchema
  readonly timeout?: string
  readonly review: (
    draft: Draft,
    context: CallContext<With> & { readonly model: ModelClient },
  ) => Effect<Finding, Failure>
}

/** A deterministic check of a text: no model, no effect. */
export interface Validator<With = JsonObject> {
  readonly id: string
  readonly summary: string
  /** The longest match it can make, in characters: the most of a stream to hold back. Absent: it needs the whole text. */
  readonly window?: number
  /** JSON Schema of its `with`. */
  readonly input?: JsonSchema
  readonly validate: (text: string, options: With) => Finding
}

/** Declares a subagent; `With` must agree with `input`. */
export const subagent = <With = JsonObject>(one: Subagent<With>): Subagent =>
  one as unknown as Subagent

/** Declares a validator; `With` must agree with `input`. */
export const validator = <With = JsonObject>(one: Validator<With>): Validator =>
  one as unknown as Validator

/** What leaves a gate. */
export type Released =
  | { readonly type: "release"; readonly text: string }
  | {
      readonly type: "settled"
      readonly text: string
      readonly findings: ReadonlyArray<Finding>
    }

/**
 * The only way of a model's text to a host. Emits what may be shown, then exactly one `settled`, whose text becomes the
 * output's text. A reply that is not streamed is a stream of one text.
 */
export interface Gate {
  readonly open: (
    about: Omit<Draft, "text" | "part">,
    context: CallContext,
  ) => (text: Stream<string, ModelFailed>) => Stream<Released, Failure>
}
