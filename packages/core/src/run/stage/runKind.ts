/** Runs a stage kind: selects the strategy, makes attempts, validates input and output. */
import * as Effect from "effect/Effect"
import {
  StageFailed,
  toFailureRecord,
  type Failure,
  type FailureRecord,
  type Json,
  type JsonObject,
  type Strategy,
} from "@planloom/plugin/effect"
import { formatIssues } from "@planloom/schema"
import { Ledger } from "../../model/limit/Ledger.ts"
import { worthMechanical } from "../../model/fallback.ts"
import type { KindWork, NodePolicy } from "../../pipeline/Pipeline.ts"
import { inTime, applyPolicy, type Retrying } from "../policy/applyPolicy.ts"
import type { Frame } from "../Frame.ts"
import { attemptName } from "./attempt/attemptName.ts"
import type { KindOccurrence } from "./Occurrence.ts"
import { startStrategy, surroundStrategy } from "./attempt/surroundStrategy.ts"
import { tryEvaluate } from "./tryEvaluate.ts"
import { AttemptContext } from "./attempt/AttemptContext.ts"

/** Runs the first strategy that is available, under the stage's policy. */
export const runKind = (given: KindOccurrence): Effect.Effect<Json, Failure> => {
  const { work } = given.node
  const { kind } = work
  if (kind.run !== undefined) return byStrategy(given, kind.run, undefined)
  const { mechanical } = kind
  if (kind.model === undefined) return byStrategy(given, mechanical!, "mechanical")
  if (mechanical === undefined) return byStrategy(given, kind.model, "model")
  const { model } = work
  if (model === undefined) return byStrategy(given, mechanical, "mechanical")
  if (model.otherwise === "fail") return byStrategy(given, kind.model, "model")
  given.checked = true
  if (model.choices.length === 0) {
    return degraded(given, mechanical, {
      class: "no_model",
      message: "no model is configured; planned mechanically",
    })
  }
  if (given.withoutModel !== undefined) return degraded(given, mechanical, given.withoutModel)
  return Effect.catch(byStrategy(given, kind.model, "model"), (failure) =>
    worthMechanical(failure) ? degraded(given, mechanical, failure) : Effect.fail(failure),
  )
}

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
    return byStrategy(given, mechanical, "mechanical")
  })

// V8 makes an object of what closures capture for each call of the function around them, needed or not. So functions that
// every stage runs make few, and what only some stages need is a function of its own.

const byStrategy = (
  given: KindOccurrence,
  strategy: Strategy,
  name: KindOccurrence["strategy"],
): Effect.Effect<Json, Failure> => {
  const { frame, node } = given
  given.strategy = name
  return node.policy === undefined
    ? recordedAttempt(given, strategy, frame.budgets, 1, undefined)
    : underPolicy(given, strategy, node.policy)
}

const underPolicy = (
  given: KindOccurrence,
  strategy: Strategy,
  policy: NodePolicy,
): Effect.Effect<Json, Failure> => {
  const { frame, node, path } = given
  given.checked = true
  const budgets =
    policy.budget === undefined
      ? frame.budgets
      : frame.budgets.concat(new Ledger(policy.budget, `stage "${node.id}"`))
  return applyPolicy(
    (attempt, previous) => recordedAttempt(given, strategy, budgets, attempt, previous),
    {
      policy,
      state: frame.state,
      stage: node.id,
      retry: () => retrying(frame, node.id, path, (attempt) => attemptName(given, attempt)),
    },
  )
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
): Retrying => ({
  failed: (attempt, failure, delay) =>
    frame.state.emit({ type: "AttemptFailed", path, stage, attempt, failure, delay }),
  pause: (attempt, delay) =>
    Effect.suspend(() =>
      Effect.andThen(
        frame.state.journal.sleep(`${after(attempt)}/pause:${attempt}`, frame.state.now() + delay),
        Effect.sync(() => frame.state.tried(path, attempt + 1)),
      ),
    ),
})

/** The record of an attempt is its output or its failure: a replay answers with either. */
const recordedAttempt = (
  given: KindOccurrence,
  strategy: Strategy,
  budgets: ReadonlyArray<Ledger>,
  attempt: number,
  previous: FailureRecord | undefined,
): Effect.Effect<Json, Failure> => {
  const { state } = given.frame
  const { policy, id } = given.node
  const context = new AttemptContext(given, attempt, previous, budgets)
  const made = Effect.suspend(() => makeAttempt(context, strategy))
  // Inside the record: that an attempt was too slow is its outcome, on a replay too.
  const work = policy === undefined ? made : inTime(made, policy, state, id)
  const name = attemptName(given, attempt)
  return state.priorSpending === undefined
    ? state.journal.step(name, work)
    : counted(context, name, work)
}

/** What an attempt had spent that is not made again counts against its budgets again. */
const counted = (
  { budgets, frame: { state }, path }: AttemptContext,
  name: string,
  work: Effect.Effect<Json, Failure>,
): Effect.Effect<Json, Failure> =>
  Effect.suspend(() => {
    let made = false
    const began = Effect.sync(() => {
      made = true
    })
    return Effect.onExitPrimitive(state.journal.step(name, Effect.andThen(began, work)), () => {
      if (!made) state.priorSpending?.book(path, name, budgets)
      return undefined
    })
  })

const makeAttempt = (context: AttemptContext, strategy: Strategy): Effect.Effect<Json, Failure> => {
  const { frame, hooks, occurrence } = context
  const { node } = occurrence
  const { work } = node
  const input = tryEvaluate(work.with.evaluate, frame.scope)
  if (input instanceof StageFailed) return Effect.fail(input)
  const issues = work.validateInput?.(input)
  if (issues !== undefined && issues.length > 0) {
    return Effect.fail(
      new StageFailed({
        class: "invalid_request",
        message: `\`with\` of stage "${node.id}" does not fit: ${formatIssues(issues)}`,
      }),
    )
  }
  const output = context.guarded(
    hooks === undefined
      ? startStrategy(occurrence, strategy, input, context)
      : surroundStrategy(occurrence, strategy, input as JsonObject, context, hooks),
  )
  return occurrence.checked ? checkedOutput(work, node.id, output) : output
}

const checkedOutput = (
  work: KindWork,
  stage: string,
  output: Effect.Effect<Json, Failure>,
): Effect.Effect<Json, Failure> => Effect.flatMap(output, (value) => fits(work, stage, value))

const fits = (work: KindWork, stage: string, output: Json): Effect.Effect<Json, StageFailed> => {
  const failure = outputMismatch(work, stage, output)
  return failure === undefined ? Effect.succeed(output) : Effect.fail(failure)
}

/** The failure of an output that does not match its kind's schema; undefined when it does. */
export const outputMismatch = (
  work: KindWork,
  stage: string,
  output: Json,
): StageFailed | undefined => {
  const issues = work.validateOutput(output)
  if (issues.length === 0) return undefined
  return new StageFailed({
    class: "invalid_output",
    message: `the output of stage "${stage}" does not fit its schema: ${formatIssues(issues)}`,
    detail: issues.map(({ message, path }) => ({ path, message })),
  })
}
