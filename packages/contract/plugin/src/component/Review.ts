/** Reviews of text: validators, shadow subagents and the gate through which a model's text leaves the engine. */
import type { Effect } from "effect/Effect"
import type { Stream } from "effect/Stream"
import type { Asking } from "./Asking.ts"
import type { CallContext } from "./CallContext.ts"
import type { Failure, FailureRecord, ModelFailed } from "../run/Failure.ts"
import type { Finding, ReviewerClass, Verdict } from "./Finding.ts"
import type { Json, JsonObject, JsonSchema } from "../value/Json.ts"
import type { ModelClient } from "./ModelClient.ts"
import type { ModelReply } from "./Model.ts"
import type { Known, Problem } from "./Reference.ts"
import type { SessionTurn } from "../run/Session.ts"
import type { CallRecord } from "../run/CallRecord.ts"

/** The text under review and what led to it. */
export interface Draft {
  /** What the user asked for: the `request` of the session, else the texts in the workflow's inputs. */
  readonly request: string
  readonly text: string
  /** The part of a streamed text that is new. */
  readonly part: { readonly start: number; readonly end: number; readonly last: boolean }
  /** Earlier turns of the session. */
  readonly turns: ReadonlyArray<SessionTurn>
  readonly calls: ReadonlyArray<CallRecord>
  /** The text is one of a value that is shown, such as a field, and no reply: what a reply must say may be elsewhere. */
  readonly isValue?: true
  /** Data behind the text, such as the stage's output. */
  readonly data: Json
}

/** The text that a stage kind wants reviewed; the rest of its draft is known to the engine or left empty. */
export type ReviewDraft = Pick<Draft, "text"> & Partial<Omit<Draft, "text">>

/** Id of a subagent or validator, alone or with its options. */
export type ReviewUse =
  | string
  | {
      readonly use: string
      readonly with?: JsonObject
      /** Name under `models:` that the subagent asks; default: the stage's model. */
      readonly model?: string
    }

/**
 * Ids of the rules that findings may name, or what gives them for the options of a use: events have them in place of the
 * reviewer's words. A finding that names another one is a failure of the reviewer.
 */
export type DeclaredRules<With = JsonObject> =
  | ReadonlyArray<string>
  | ((options: With, files: CallContext["files"]) => ReadonlyArray<string>)

/** A reviewer that may use a model. */
export interface Subagent<With = JsonObject> {
  readonly id: string
  readonly summary: string
  readonly class: ReviewerClass
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
  readonly rules?: DeclaredRules<With>
  /** Problems of a `with` that fits `input`, for `planloom check`: what no schema can say. */
  readonly check?: (options: With, known: Known) => ReadonlyArray<Problem>
  /** The most that one review asks, for `planloom plan`; an empty list for one that asks nothing. Without it, unknown. */
  readonly asks?: (options: With) => ReadonlyArray<Asking>
  readonly review: (
    draft: Draft,
    context: CallContext<With> & { readonly model: ModelClient },
  ) => Effect<Finding, Failure>
}

/** A deterministic check of a text: no model, no effect. */
export interface Validator<With = JsonObject> {
  readonly id: string
  readonly summary: string
  /** Default: `safety`. */
  readonly class?: ReviewerClass
  /** Verdicts it may give; default: all. */
  readonly can?: ReadonlyArray<Verdict>
  /** It reads the request. Default: parts of the text if it has a `window`, else the whole text. */
  readonly at?: "input"
  /** The longest match it can make, in characters: the most of a stream to hold back. Absent: it needs the whole text. */
  readonly window?: number
  /** JSON Schema of its `with`. */
  readonly input?: JsonSchema
  readonly rules?: DeclaredRules<With>
  /** Problems of a `with` that fits `input`, for `planloom check`: what no schema can say. */
  readonly check?: (options: With, known: Known) => ReadonlyArray<Problem>
  /** `draft`: what led to the text, of which `text` is the part that is reviewed. */
  readonly validate: (text: string, options: With, draft: Draft) => Finding
  /**
   * Start of the end of a text that more text could still turn into a match, or into a longer one; else the text's
   * length. Only that end of a stream is held back; without the function it is the last `window` characters.
   */
  readonly pending?: (text: string, options: With) => number
  /**
   * Characters before that end on which matches in it depend, such as 1 for a border of words. A stream is read again
   * from there only. Default: `window`.
   */
  readonly lookbehind?: number
}

/** Declares a subagent; `With` must agree with `input`. */
export const subagent = <With = JsonObject>(one: Subagent<With>): Subagent =>
  one as unknown as Subagent

/** Declares a validator; `With` must agree with `input`. */
export const validator = <With = JsonObject>(one: Validator<With>): Validator =>
  one as unknown as Validator

/** What a review cost: model calls of the reviewer. */
export interface ReviewCost {
  readonly tokens: number
  readonly usd: number
}

/** A reply of a reviewer's model, as a test scripts it; of a call that failed, its failure. */
export type ReviewerReply =
  | Pick<ModelReply, "text" | "toolCalls" | "finish">
  | { readonly failure: Pick<FailureRecord, "class" | "message"> }

/** The outcome of one review. `invalid`: what the reviewer returned cannot be used. */
export type Reviewed = {
  readonly reviewer: string
  readonly ms: number
  readonly cost?: ReviewCost
  /** For the review queue: no record and no event has them. */
  readonly replies?: ReadonlyArray<ReviewerReply>
} & (
  | { readonly cause: "verdict"; readonly finding: Finding }
  | { readonly cause: "timeout" | "error" | "invalid"; readonly failure: FailureRecord }
)

export interface ReviewOptions {
  /** Milliseconds; default: the subagent's own `timeout`. */
  readonly timeout?: number
  /** Emits no `Reviewed`: the gate reports the outcome itself. */
  readonly silent?: true
}

/** What a call has changed, for its user. */
export interface DoneText {
  /** Undefined if the tool says nothing of it. */
  readonly said?: string
  /** Of declared words alone. */
  readonly plain: string
}

/** The context of a gate. */
export interface GateContext extends CallContext {
  /**
   * One review of a text. Never fails because of the reviewer. Its model calls count against the budgets of the stage, and
   * their replies are not recorded. Emits `Reviewed`, without the reviewer's words, unless it is silent.
   */
  readonly review: (use: ReviewUse, draft: ReviewDraft, options?: ReviewOptions) => Effect<Reviewed>
  /**
   * The text is one of a value that is shown, such as a field of a JSON reply, and not the reply of a stage: nothing is
   * appended to it, and its drafts are marked. A text that was made of settled ones passes the gate again.
   */
  readonly isValue?: true
  /** Reasoning of the model, which no one else gets; the whole of it once the text has ended. Empty for one that was left. */
  readonly reasoning?: string
  /** Emits `Reviewed`, without the reviewer's words, with the verdict that the gate acts on. */
  readonly report: (reviewed: Reviewed, verdict: Verdict) => Effect<void>
  /** Start of the end of a text that a validator must see more of; undefined if it does not say. A failure if it fails. */
  readonly pending: (use: ReviewUse, text: string) => number | FailureRecord | undefined
  /**
   * What a call of this run has changed, for its user: as the tool says it (the summary that it declares, or the text of
   * its result) and in the words of the engine. Undefined for a call that failed or changes nothing.
   */
  readonly done: (call: CallRecord) => DoneText | undefined
  /** The text with placeholders for personal inputs and the user's texts, as the record of the run has it: for what a gate keeps. */
  readonly hidePersonal: (text: string) => string
}

/** What leaves a gate. */
export type Released =
  | { readonly type: "release"; readonly text: string }
  | {
      readonly type: "settled"
      readonly text: string
      readonly findings: ReadonlyArray<Finding>
      /** The calls of the reply are not made. */
      readonly stop?: true
      /** The text stands in place of a blocked one. */
      readonly blocked?: true
    }

/** What a review that ends after the text has left does to it. */
export interface Correction {
  /** `retract`: the text is void, `text` says so to the user. `append`: `text` follows it. `annotate`: it stays. */
  readonly action: "retract" | "replace" | "append" | "annotate"
  readonly text?: string
}

/** The most reviews by one of a gate's reviewers; `Infinity` if that depends on the text. */
export interface GateReviews {
  readonly use: ReviewUse
  /** Reviews of one reply. */
  readonly reply: number
  /** Reviews of one text of a value that is shown. */
  readonly value: number
  /** Reviews in one call of `after`. */
  readonly after: number
  /** Reviews of what tools have changed, once a text is blocked. */
  readonly blocked: number
}

/**
 * The only way of a model's text to a host. Emits what may be shown, then exactly one `settled`, whose text becomes the
 * output's text. A reply that is not streamed is a stream of one text.
 */
export interface Gate {
  readonly open: (
    about: Omit<Draft, "text" | "part">,
    context: GateContext,
  ) => (text: Stream<string, ModelFailed>) => Stream<Released, Failure>
  /** Reviews a settled text that hosts already have; undefined if it stays. */
  readonly after?: (
    text: string,
    about: Omit<Draft, "text" | "part">,
    context: GateContext,
  ) => Effect<Correction | undefined, Failure>
  /** Its subagents, for `planloom plan`. Without it, the calls of its reviewers are unknown. */
  readonly reviews?: ReadonlyArray<GateReviews>
  /** Milliseconds that `after` takes at most; 30 seconds unless given. The next turn of a session waits that long. */
  readonly afterMs?: number
}
