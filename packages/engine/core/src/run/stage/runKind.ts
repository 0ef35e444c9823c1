/** Runs a stage kind: selects the strategy, and attempts it under the policy of the stage. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import {
  toFailureRecord,
  type Failure,
  type FailureRecord,
  type Json,
  type ModelSwaps,
  type Strategy,
} from "@planloom/plugin/effect"
import { attemptName, below } from "@planloom/plugin/segments"
import type { TimeLimit } from "../../model/limit/TimeLimit.ts"
import { worthMechanical } from "../../model/fallback.ts"
import type { NodePolicy } from "../../pipeline/Pipeline.ts"
import {
  applyPolicy,
  lateStage,
  retryOrFail,
  type Attempt,
  type PolicyContext,
  type Retrying,
} from "../policy/applyPolicy.ts"
import type { Frame } from "../Frame.ts"
import { followSwaps } from "../surroundings/followSwaps.ts"
import type { KindOccurrence, Occurrence } from "./Occurrence.ts"
import { unquoted } from "../shown/quotable.ts"
import { plainAttempt, recordedAttempt } from "./attempt/makeAttempt.ts"

/**
 * Runs the first strategy that is available, under the stage's policy. With a `limit` the failure of the only
 * strategy's first attempt reaches the scheduler, which asks `retryFirst` for what follows.
 */
export const runKind = (
  given: KindOccurrence,
  limit: TimeLimit | undefined,
): Effect.Effect<Json, Failure> => {
  const { pipeline, state } = given.frame
  const { models } = state
  return models === undefined || !pipeline.models.isSwappable
    ? byModel(given, limit)
    : afterSwaps(given, models, limit)
}

// A function of its own: V8 would make an object of what its closure captures for each occurrence.
const afterSwaps = (
  given: KindOccurrence,
  swaps: ModelSwaps,
  limit: TimeLimit | undefined,
): Effect.Effect<Json, Failure> =>
  given.node.work.kind.model === undefined && given.node.work.kind.run === undefined
    ? byModel(given, limit)
    : Effect.andThen(
        followSwaps(given.frame.pipeline, swaps),
        Effect.suspend(() => byModel(given, limit)),
      )

/** Selects the strategy by the models in force. */
const byModel = (
  given: KindOccurrence,
  limit: TimeLimit | undefined,
): Effect.Effect<Json, Failure> => {
  const { work } = given.node
  const { kind } = work
  if (kind.run !== undefined) return byStrategy(given, kind.run, undefined, limit)
  const { mechanical } = kind
  if (kind.model === undefined) return byStrategy(given, mechanical!, "mechanical", limit)
  if (mechanical === undefined) return byStrategy(given, kind.model, "model", limit)
  const { model } = work
  if (model === undefined) return byStrategy(given, mechanical, "mechanical", limit)
  if (model.otherwise === "fail") return byStrategy(given, kind.model, "model", limit)
  given.checked = true
  if (model.choices.length === 0) {
    return degraded(given, mechanical, {
      class: "no_model",
      message: "no model is configured; planned mechanically",
    })
  }
  if (given.withoutModel !== undefined) return degraded(given, mechanical, given.withoutModel)
  return Effect.catch(byStrategy(given, kind.model, "model", undefined), (failure) =>
    worthMechanical(failure)
      ? degraded(given, mechanical, unquoted(placeOf(given), failure))
      : Effect.fail(failure),
  )
}

const placeOf = ({ frame, node, path }: KindOccurrence) => ({ frame, path, stage: node.id })

const degraded = (
  given: KindOccurrence,
  mechanical: Strategy,
  failure: FailureRecord,
): Effect.Effect<Json, Failure> =>
  Effect.suspend(() => {
    given.frame.state.emit({
      type: "Degraded",
      path: given.path,
      stage: given.node.id,
      failure: toFailureRecord(failure),
    })
    return byStrategy(given, mechanical, "mechanical", undefined)
  })

// V8 makes an object of what closures capture for each call of the function around them, needed or not. So functions that
// every stage runs make few, and what only some stages need is a function of its own.

const byStrategy = (
  given: KindOccurrence,
  strategy: Strategy,
  name: KindOccurrence["strategy"],
  limit: TimeLimit | undefined,
): Effect.Effect<Json, Failure> => {
  const { policy } = given.node
  given.strategy = name
  if (policy === undefined) return plainAttempt(given, strategy)
  return limit === undefined || !policy.perAttempt || given.frame.state.journal.lasting
    ? underPolicy(given, strategy, policy)
    : firstAttempt(given, strategy, policy, limit)
}

/** Attempts the work under the time limit of the loop around it. Outside of a record, which is of the work in time. */
const firstAttempt = (
  given: KindOccurrence,
  strategy: Strategy,
  { retries, timeout }: NodePolicy,
  limit: TimeLimit,
): Effect.Effect<Json, Failure> => {
  if (timeout !== undefined) {
    limit.begin(timeout, lateStage(given.node.id), given.frame.state.emittedAt)
  }
  given.retries = retries.length === 0 ? undefined : strategy
  return plainAttempt(given, strategy)
}

/** What follows a first attempt that failed and left the loop it ran in; undefined if nothing does. */
export const retryFirst = (
  given: Occurrence,
  cause: Cause.Cause<Failure>,
): Effect.Effect<Json, Failure> | undefined => {
  const { node, retries } = given
  const failed = cause.reasons.find(Cause.isFailReason)
  if (retries === undefined || failed === undefined) return undefined
  given.retries = undefined
  given.checked = true
  const { attempt, context } = attempts(given as KindOccurrence, retries, node.policy!)
  return retryOrFail(failed.error, attempt, context, 1, undefined)
}

const underPolicy = (
  given: KindOccurrence,
  strategy: Strategy,
  policy: NodePolicy,
): Effect.Effect<Json, Failure> => {
  given.checked = true
  given.resetBudget()
  const { attempt, context } = attempts(given, strategy, policy)
  return applyPolicy(attempt, context)
}

const attempts = (
  given: KindOccurrence,
  strategy: Strategy,
  policy: NodePolicy,
): { readonly attempt: Attempt; readonly context: PolicyContext } => {
  const { frame, node, path } = given
  return {
    attempt: (attempt, previous) => recordedAttempt(given, strategy, policy, attempt, previous),
    context: {
      policy,
      state: frame.state,
      stage: node.id,
      retry: () =>
        retrying(
          frame,
          node.id,
          path,
          (attempt) => attemptName(given, attempt),
          (failure) => unquoted(placeOf(given), failure),
        ),
    },
  }
}

/**
 * Emits a failed attempt and pauses before the retry. `after` names what a pause comes after: attempts of two
 * strategies have the same numbers.
 */
export const retrying = (
  frame: Frame,
  stage: string,
  path: string,
  after: (attempt: number) => string = () => path,
  said: (failure: FailureRecord) => FailureRecord = (failure) => failure,
): Retrying => ({
  failed: (attempt, failure, delay) =>
    frame.state.emit({
      type: "AttemptFailed",
      path,
      stage,
      attempt,
      failure: said(failure),
      delay,
    }),
  pause: (attempt, delay) =>
    Effect.suspend(() =>
      Effect.andThen(
        frame.state.journal.sleep(
          below(after(attempt), "pause", attempt),
          frame.state.now() + delay,
        ),
        Effect.sync(() => frame.state.tried(path, attempt + 1)),
      ),
    ),
})
