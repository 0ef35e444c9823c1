/** Questions a run cannot go on without, and their answers. */
import * as Data from "effect/Data"
import type { Json, JsonSchema } from "./Json.ts"

/** A question to a person, or to another program. A run that waits for its answer holds nothing in memory. */
export interface Wait {
  /** Unique within the run: `sign_off`, `plan/tool:send/approval`, `read/clarification:1`. */
  readonly name: string
  readonly kind: "approval" | "clarification" | "signal"
  /** Path of the stage occurrence that asks. */
  readonly path: string
  /** One question, for a person. */
  readonly message: string
  /** What an answer must fit. */
  readonly schema: JsonSchema
  /** What the person judges. */
  readonly show?: Json
  /** Answers to choose from; others may be allowed, the schema says. */
  readonly options?: ReadonlyArray<Json>
  /** Epoch milliseconds after which no answer is taken any more. */
  readonly expiresAt?: number
  /** The answer once it has expired; without it whoever asks fails with class `timeout`. */
  readonly default?: Json
}

/** `by` names who has answered: a person, a program, `default` or `expired`. */
export interface Answer {
  readonly value: Json
  readonly by: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** What a question that has expired at this time is answered with, unless somebody was faster. */
export const expiry = (wait: Wait, at: number): Answer | undefined => {
  if (wait.expiresAt === undefined || wait.expiresAt > at) return undefined
  return wait.default === undefined
    ? { value: null, by: "expired", at }
    : { value: wait.default, by: "default", at }
}

/** A question nobody has answered yet, and whose it is. */
export interface OpenWait {
  readonly run: string
  readonly workflow: string
  /** Epoch milliseconds. */
  readonly askedAt: number
  readonly wait: Wait
}

/**
 * What a stage dies with when nobody has answered yet. A defect, so that no retry, fallback or `on_error`
 * takes it for a failure; blocks and lists let what runs beside it end, then die with all waits together.
 */
export class Suspended extends Data.TaggedError("Suspended")<{
  readonly waits: ReadonlyArray<Wait>
}> {}

/** Why an answer is not taken. */
export const answerRefusals = {
  unknown: "the run asks no such question",
  answered: "it has been answered before",
  expired: "its time is over",
  ended: "the run has ended",
  invalid: "it does not match the schema of the question",
} as const

/** `message` is one sentence for a person. */
export class AnswerRefused extends Data.TaggedError("AnswerRefused")<{
  readonly reason: keyof typeof answerRefusals
  readonly message: string
}> {}
