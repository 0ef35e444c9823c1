/** Applies a stage's policy: time limits, retries by failure class, concurrency group. */
import * as Effect from "effect/Effect"
import {
  StageFailed,
  reasonOf,
  toFailureRecord,
  type Failure,
  type FailureRecord,
  type Json,
  type JsonObject,
} from "@planloom/plugin/effect"
import type { RetryPolicy } from "@planloom/language"
import { formatDuration } from "@planloom/plugin/duration"
import type { NodePolicy } from "../../pipeline/Pipeline.ts"
import { missedDeadline, type Deadline, type Late } from "../../model/limit/TimeLimit.ts"
import { randomModule } from "../lateModules.ts"
import type { RunState } from "../RunState.ts"
import { timeLimit } from "./timeLimit.ts"

/** Work that can be retried, each attempt within its own time limit (`inTime`). `attempt` counts from 1; `previous` is the last failure. */
export type Attempt = (
  attempt: number,
  previous: FailureRecord | undefined,
) => Effect.Effect<Json, Failure>

/** What happens between two attempts: an event and a pause. */
export interface Retrying {
  /** Called before each pause; `delay` in milliseconds. */
  readonly failed: (attempt: number, failure: FailureRecord, delay: number) => void
  /** Pauses, on record. */
  readonly pause: (attempt: number, delay: number) => Effect.Effect<void>
}

export interface PolicyContext {
  readonly policy: NodePolicy
  readonly state: Pick<RunState, "concurrencyLimiter" | "deadlines">
  readonly stage: string
  /** Called when a failure is retried. */
  readonly retry: () => Retrying
}

/** Attempts the work until it succeeds or no retry policy has a retry left for the failure. */
export const applyPolicy = (
  attempt: Attempt,
  given: PolicyContext,
): Effect.Effect<Json, Failure> => {
  const { budget, concurrency } = given.policy
  const first = tryFrom(attempt, given, 1, undefined, undefined)
  const tries =
    budget?.time === undefined
      ? first
      : withinTime(first, budget.time, given.state, `stage "${given.stage}"`)
  return concurrency === undefined
    ? tries
    : given.state.concurrencyLimiter.within(concurrency, tries)
}

/** Limits one attempt to the policy's `timeout`. */
export const inTime = (
  work: Effect.Effect<Json, Failure>,
  policy: NodePolicy,
  state: Pick<RunState, "deadlines">,
  stage: string,
): Effect.Effect<Json, Failure> => timeLimit(work, policy.timeout, state, lateStage(stage))

/** The failure of an attempt that gave no output in time. */
export const lateStage =
  (stage: string): Late =>
  (timeout) =>
    new StageFailed({
      class: "timeout",
      message: `stage "${stage}" gave no output in ${formatDuration(timeout)}`,
    })

/** Limits work to a time budget: of a stage, all attempts and the pauses between them. */
export const withinTime = <A, E>(
  work: Effect.Effect<A, E>,
  time: number | undefined,
  state: Pick<RunState, "deadlines">,
  owner: string,
): Effect.Effect<A, E | StageFailed> =>
  timeLimit(
    work,
    time,
    state,
    (limit) =>
      new StageFailed({
        class: "budget",
        message: `the budget of ${owner} is spent: time ${formatDuration(limit)}`,
        detail: { key: "time", limit },
      }),
  )

const tryFrom = (
  attempt: Attempt,
  given: PolicyContext,
  number: number,
  previous: FailureRecord | undefined,
  used: Map<RetryPolicy, number> | undefined,
): Effect.Effect<Json, Failure> => {
  const work = attempt(number, previous)
  return given.policy.retries.length === 0 ? work : retried(work, attempt, given, number, used)
}

const retried = (
  work: Effect.Effect<Json, Failure>,
  attempt: Attempt,
  given: PolicyContext,
  number: number,
  used: Map<RetryPolicy, number> | undefined,
): Effect.Effect<Json, Failure> =>
  Effect.catch(work, (failure) => retryOrFail(failure, attempt, given, number, used))

/** Retries after the failure of attempt `number`, or fails with it when no retry policy has a retry left. */
export const retryOrFail = (
  failure: Failure,
  attempt: Attempt,
  given: PolicyContext,
  number: number,
  used: Map<RetryPolicy, number> | undefined,
): Effect.Effect<Json, Failure> => {
  const retry = given.policy.retries.find(
    (candidate) =>
      candidate.on.includes(failure.class) && (used?.get(candidate) ?? 0) < candidate.max_retries,
  )
  if (retry === undefined) return Effect.fail(failure)
  const counts = used ?? new Map<RetryPolicy, number>()
  const count = (counts.get(retry) ?? 0) + 1
  counts.set(retry, count)
  const record = toFailureRecord(failure)
  return Effect.flatMap(delayOf(retry, count, record.retryAfter), (delay) =>
    Effect.flatMap(missedDeadline(delay), (deadline) => {
      if (deadline !== undefined) return Effect.fail(noTimeToRetry(record, delay, deadline))
      const { failed, pause } = given.retry()
      failed(number, record, delay)
      return Effect.andThen(
        pause(number, delay),
        Effect.suspend(() => tryFrom(attempt, given, number + 1, record, counts)),
      )
    }),
  )
}

/** The failure that the time limit would cause during the pause, reported before the pause starts. */
const noTimeToRetry = (
  failure: FailureRecord,
  delay: number,
  { late, left, limit }: Deadline,
): StageFailed => {
  const { class: cause, detail } = late()
  return new StageFailed({
    class: cause,
    message: `${reasonOf(failure)}; the next attempt is due in ${formatDuration(delay)}, and ${formatDuration(left)} are left of the time limit of ${formatDuration(limit)}`,
    detail: {
      ...(detail as JsonObject | undefined),
      pause: delay,
      left,
      limit,
      failure: failure as unknown as Json,
    },
    ...(failure.stage === undefined ? {} : { stage: failure.stage }),
  })
}

/**
 * Milliseconds before retry number `count` (from 1): `delay`, `delay·count` or `delay·2^(count-1)`, jittered over its
 * upper half; at least what the service requested, and at most `max_delay`.
 */
const delayOf = (
  policy: RetryPolicy,
  count: number,
  retryAfter: number | undefined,
): Effect.Effect<number> => {
  const factor =
    policy.backoff === "constant" ? 1 : policy.backoff === "linear" ? count : 2 ** (count - 1)
  const plain = Math.min(policy.delay * factor, policy.max_delay)
  const requested = Math.min(retryAfter ?? 0, policy.max_delay)
  const atLeast = (delay: number) => Math.round(Math.max(delay, requested))
  return policy.jitter
    ? Effect.map(
        Effect.flatMap(randomModule(), ({ next }) => next),
        (drawn) => atLeast(plain * (0.5 + drawn / 2)),
      )
    : Effect.succeed(atLeast(plain))
}
