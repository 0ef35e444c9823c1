/** The outcome of a step as plain data, for journals to record and replay. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import {
  ModelFailed,
  StageFailed,
  ToolFailed,
  toFailureRecord,
  type Failure,
  type FailureRecord,
} from "./Failure.ts"
import type { Json } from "../value/Json.ts"

export type RecordedStep =
  | {
      readonly ok: true
      readonly value: Json
      /** Many runs record the same value: a store keeps it once. */
      readonly isShared?: true
    }
  | {
      readonly ok: false
      readonly tag: Failure["_tag"]
      readonly failure: FailureRecord
      /** The tool or the model that failed. */
      readonly of: string
    }

/** Undefined for an interrupted step or a defect, which is not recorded and runs again. */
export const recordedStep = (exit: Exit.Exit<Json, Failure>): RecordedStep | undefined => {
  if (Exit.isSuccess(exit)) return { ok: true, value: exit.value }
  const found = Exit.findErrorOption(exit)
  if (found._tag === "None") return undefined
  const failure = found.value
  const { model, ...record } = toFailureRecord(failure)
  return {
    ok: false,
    tag: failure._tag,
    // `of` already names what failed; only a stage failure keeps its model.
    failure: failure._tag === "ModelFailed" || model === undefined ? record : { ...record, model },
    of:
      failure._tag === "ToolFailed"
        ? failure.tool
        : failure._tag === "ModelFailed"
          ? failure.model
          : "",
  }
}

/** Succeeds or fails as recorded. */
export const replayed = (step: RecordedStep): Effect.Effect<Json, Failure> => {
  if (step.ok) return Effect.succeed(step.value)
  switch (step.tag) {
    case "ToolFailed":
      return Effect.fail(new ToolFailed({ ...step.failure, tool: step.of }))
    case "ModelFailed":
      return Effect.fail(new ModelFailed({ ...step.failure, model: step.of }))
    case "StageFailed":
      return Effect.fail(new StageFailed(step.failure))
  }
}
