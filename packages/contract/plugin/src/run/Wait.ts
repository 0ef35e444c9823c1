/** Questions that suspend a run, and their answers. */
import * as Data from "effect/Data"
import type { Json, JsonSchema } from "../value/Json.ts"

/** One thing that an approval shows of a call. */
export interface ShownField {
  readonly name: string
  /** Its name for end users, in the language of the question. */
  readonly label: string
  readonly value: Json
}

/** A question to a person or a program. A run that waits for the answer uses no memory. */
export interface Wait {
  /** Unique within the run: `sign_off`, `plan/tool:send/approval:1:9f2c81d04be7`, `read/clarification:1`. */
  readonly name: string
  /** A `timer` only waits: it takes no answer, and ends when it expires. */
  readonly kind: "approval" | "clarification" | "signal" | "timer"
  /** Path of the stage occurrence that asks. */
  readonly path: string
  /** The question, for people. */
  readonly message: string
  /** Schema of the answer. */
  readonly schema: JsonSchema
  /** The value under review. */
  readonly show?: Json
  /** What the approved call will do, in order. */
  readonly fields?: ReadonlyArray<ShownField>
  /** Salted SHA-256 of the approved call: of its tool, params, inputs and fields. The answer counts for no other call. */
  readonly digest?: string
  /** Suggested answers; the schema may allow others. */
  readonly options?: ReadonlyArray<Json>
  /** Expiration in epoch milliseconds. */
  readonly expiresAt?: number
  /** The answer after expiration; without it the stage fails with class `timeout`. */
  readonly default?: Json
}

/** `by` is the author: a person, a program, `default` or `expired`. */
export interface Answer {
  readonly value: Json
  readonly by: string
  /** The API key, user or program that the answer came through, as a server or the command knows it. */
  readonly via?: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** A question of a stage kind or a tool to a person. */
export interface Question {
  /** Unique in this stage; required if it asks more than one question. */
  readonly key?: string
  /** `approval` for a yes or no to the shown value; otherwise `signal`. */
  readonly kind?: "approval" | "signal"
  readonly message: string
  /** Schema of the answer; any value by default. */
  readonly schema?: JsonSchema
  readonly show?: Json
  readonly options?: ReadonlyArray<Json>
  /** Time until the question expires: milliseconds, or text as in workflows (`48h`). */
  readonly expires?: number | string
  readonly default?: Json
}

/** The answer of a question that has expired at this time, unless it was answered before. */
export const expiredAnswer = (wait: Wait, at: number): Answer | undefined => {
  if (wait.expiresAt === undefined || wait.expiresAt > at) return undefined
  return wait.default === undefined
    ? { value: null, by: "expired", at }
    : { value: wait.default, by: "default", at }
}

/** An open question and its run. */
export interface OpenWait {
  readonly run: string
  readonly workflow: string
  /** Epoch milliseconds. */
  readonly askedAt: number
  readonly wait: Wait
}

/**
 * Ends a stage that waits for an answer. A defect, so that no retry, fallback or `on_error` treats it as a failure;
 * blocks and lists let parallel work end, then die with all their waits.
 */
export class Suspended extends Data.TaggedError("Suspended")<{
  readonly waits: ReadonlyArray<Wait>
}> {}

/** Reasons for rejecting an answer. */
export const answerRefusals = {
  unknown: "the run has no question of this name",
  answered: "the question was already answered",
  expired: "the question has expired",
  ended: "the run has ended",
  invalid: "the answer does not match the schema of the question",
} as const

/** `message` is one sentence for people. */
export class AnswerRefused extends Data.TaggedError("AnswerRefused")<{
  readonly reason: keyof typeof answerRefusals
  readonly message: string
}> {}
