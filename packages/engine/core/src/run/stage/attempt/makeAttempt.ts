/** Makes an attempt of a stage kind, on record: validates input and output around its strategy. */
import * as Effect from "effect/Effect"
import {
  StageFailed,
  type Failure,
  type FailureRecord,
  type Json,
  type JsonObject,
  type Strategy,
} from "@planloom/plugin/effect"
import { attemptName } from "@planloom/plugin/segments"
import { formatIssues } from "@planloom/schema"
import type { KindWork, NodePolicy } from "../../../pipeline/Pipeline.ts"
import { startNow } from "../../../pipeline/startNow.ts"
import { memoryJournal } from "../../journal/journals.ts"
import { inTime } from "../../policy/applyPolicy.ts"
import type { RunScope } from "../../RunScope.ts"
import type { RunState } from "../../RunState.ts"
import type { KindOccurrence } from "../Occurrence.ts"
import { tryEvaluate } from "../tryEvaluate.ts"
import { AttemptContext } from "./AttemptContext.ts"
import { startStrategy, surroundStrategy } from "./surroundStrategy.ts"

/** The record of an attempt is its output or its failure: a replay answers with either. `policy` limits its time. */
export const recordedAttempt = (
  given: KindOccurrence,
  strategy: Strategy,
  policy: NodePolicy | undefined,
  attempt: number,
  previous: FailureRecord | undefined,
): Effect.Effect<Json, Failure> => {
  const { state } = given.frame
  const context = new AttemptContext(given, attempt, previous)
  const made = Effect.suspend(() => makeAttempt(context, strategy))
  // Inside the record: that an attempt was too slow is its outcome, on a replay too.
  const work = policy === undefined ? made : inTime(made, policy, state, given.node.id)
  const name = attemptName(given, attempt)
  return state.priorSpending === undefined
    ? state.journal.step(name, work)
    : counted(context, name, work)
}

/** The first attempt outside of a time limit of its own; one that is not recorded starts at once. */
export const plainAttempt = (
  given: KindOccurrence,
  strategy: Strategy,
): Effect.Effect<Json, Failure> => {
  if (given.frame.state.journal !== memoryJournal) {
    return recordedAttempt(given, strategy, undefined, 1, undefined)
  }
  return startNow(() => makeAttempt(new AttemptContext(given, 1, undefined), strategy))
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
      state.priorSpending?.bookReviews(path, budgets)
    })
    return Effect.onExitPrimitive(state.journal.step(name, Effect.andThen(began, work)), () => {
      if (!made) state.priorSpending?.book(path, name, budgets)
      return undefined
    })
  })

const makeAttempt = (context: AttemptContext, strategy: Strategy): Effect.Effect<Json, Failure> => {
  const { liveTools } = context.frame.pipeline
  return liveTools === undefined
    ? strategyOf(context, strategy)
    : Effect.andThen(
        context.newestTools(liveTools),
        Effect.suspend(() => strategyOf(context, strategy)),
      )
}

const strategyOf = (context: AttemptContext, strategy: Strategy): Effect.Effect<Json, Failure> => {
  const { frame, occurrence } = context
  const { documents } = occurrence.node.work
  return documents === undefined
    ? givenStrategy(context, strategy, frame.scope)
    : afterReading(documents, context, strategy)
}

// A function of its own: V8 would make an object of what its closure captures for each attempt.
const afterReading = (
  documents: ReadonlySet<string> | "all",
  context: AttemptContext,
  strategy: Strategy,
): Effect.Effect<Json, Failure> =>
  Effect.flatMap(context.readDocuments(documents), (read) =>
    givenStrategy(context, strategy, { ...context.frame.scope, documents: read }),
  )

const givenStrategy = (
  context: AttemptContext,
  strategy: Strategy,
  scope: RunScope,
): Effect.Effect<Json, Failure> => {
  const { frame, hooks, occurrence } = context
  const { node } = occurrence
  const { work } = node
  const input = tryEvaluate(work.with.evaluate, scope)
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
  const { onPlace } = frame.state
  onPlace?.({ path: context.path, stage: node.id, component: work.component })
  const output = context.guarded(
    hooks === undefined
      ? startStrategy(occurrence, strategy, input, context)
      : surroundStrategy(occurrence, strategy, input as JsonObject, context, hooks),
  )
  const left = onPlace === undefined ? output : after(output, onPlace)
  return occurrence.checked ? checkedOutput(work, node.id, left) : left
}

// A function of its own: V8 would make an object of what its closure captures for each attempt.
const after = (
  output: Effect.Effect<Json, Failure>,
  onPlace: NonNullable<RunState["onPlace"]>,
): Effect.Effect<Json, Failure> =>
  Effect.onExitPrimitive(output, () => {
    onPlace(undefined)
    return undefined
  })

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
