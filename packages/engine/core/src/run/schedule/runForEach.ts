/** Runs `for_each`: one occurrence per item of a list, up to `max_parallel` at once. */
import * as Effect from "effect/Effect"
import * as Cause from "effect/Cause"
import {
  StageFailed,
  Suspended,
  type Failure,
  type FailureRecord,
  type Json,
} from "@planloom/plugin/effect"
import { clarify } from "../stage/clarify.ts"
import { keepFailure } from "../stage/keepFailure.ts"
import {
  emitFailed,
  emitFinished,
  emitStarted,
  leavingFailure,
  Occurrence,
} from "../stage/Occurrence.ts"
import { retryFirst } from "../stage/runKind.ts"
import { runFallback, runOccurrence, uncheckedMismatch } from "../stage/runOccurrence.ts"
import { unlessInterrupted } from "../stage/failureIn.ts"
import type { Deadlines } from "../policy/Deadlines.ts"
import { inTurn } from "./inTurn.ts"
import { itemPaths } from "./itemPaths.ts"
import { tryEvaluate } from "../stage/tryEvaluate.ts"
import { suspensionIn, together } from "../stage/suspension.ts"
import { quotable } from "../shown/quotable.ts"

/** Returns the outputs in the order of the items. An item that fails under `on_error: continue` yields `null`. */
export const runForEach = (occurrence: Occurrence): Effect.Effect<Json, Failure> => {
  const { feedback, frame, nested, node, path, withoutModel } = occurrence
  const { as, in: source, maxParallel } = node.forEach!
  const items = tryEvaluate(source.evaluate, frame.scope)
  if (items instanceof StageFailed) return Effect.fail(items)
  if (!Array.isArray(items)) {
    return Effect.fail(
      new StageFailed({
        class: "invalid_request",
        message: `\`for_each.in\` of "${node.id}" is not a list`,
      }),
    )
  }
  const block = node.work.type === "block"
  const held: Array<Suspended> = []
  const pathOf = itemPaths(node, path)
  const start = (index: number, follows: boolean): Occurrence => {
    const scope = { ...frame.scope, [as]: items[index] as Json, index }
    const item = new Occurrence(
      node,
      {
        ...frame,
        scope: block ? { ...scope, stages: { ...frame.scope.stages } } : scope,
      },
      pathOf(index),
      nested,
      feedback,
      withoutModel,
    )
    emitStarted(item, follows)
    return item
  }
  const deadlines = node.policy === undefined ? undefined : frame.state.deadlines
  const each = inParallel({ count: items.length, most: maxParallel, deadlines, held, start })
  const all = Effect.flatMap(each, (outputs) =>
    held.length === 0
      ? Effect.succeed(outputs)
      : Effect.die(new Suspended({ waits: together(held.map(({ waits }) => waits)) })),
  )
  return keepFailure({ name: path, frame, budgets: frame.budgets }, all)
}

interface Items {
  readonly count: number
  /** The number of items that run at once. */
  readonly most: number
  readonly deadlines: Deadlines | undefined
  /** Collects the suspensions of items that wait. */
  readonly held: Array<Suspended>
  readonly start: (index: number, follows: boolean) => Occurrence
}

/** The outputs of the items. Each of `most` fibers takes one item after another. */
const inParallel = ({
  count,
  deadlines,
  held,
  most,
  start,
}: Items): Effect.Effect<Array<Json>, Failure> =>
  Effect.suspend(() => {
    const outputs: Array<Json> = []
    outputs.length = count
    let started = 0
    const worker = () => {
      let index: number
      let item: Occurrence
      const kept = (output: Effect.Effect<Json, Failure>) =>
        Effect.map(output, (value) => void (outputs[index] = value))
      return inTurn({
        deadlines,
        next: (follows, limit) => {
          if (started === count) return undefined
          index = started++
          item = start(index, follows)
          return runOccurrence(item, limit)
        },
        succeeded: (output: Json) => {
          const failure = finishedItem(item, output)
          if (failure !== undefined) return kept(afterFailure(item, held, Cause.fail(failure)))
          outputs[index] = output
          return undefined
        },
        failed: (cause: Cause.Cause<Failure>) => kept(afterFailure(item, held, cause)),
      })
    }
    const workers = Array.from({ length: Math.min(most, count) }, worker)
    return Effect.as(Effect.all(workers, { concurrency: "unbounded", discard: true }), outputs)
  })

/** Emits the end of an item; returns the failure of one whose output does not fit. */
const finishedItem = (item: Occurrence, output: Json): StageFailed | undefined => {
  const wrong = uncheckedMismatch(item, output)
  if (wrong === undefined) emitFinished(item, output)
  return wrong
}

/** The output after a failure. After an answer to its question an item runs again. */
const afterFailure = (
  item: Occurrence,
  held: Array<Suspended>,
  cause: Cause.Cause<Failure>,
): Effect.Effect<Json, Failure> => {
  const retried = item.retries && retryFirst(item, cause)
  if (retried !== undefined) return settledItem(item, held, retried)
  return unlessHeld(held, cause, (given) =>
    Effect.flatMap(quotable(item, given), (failure) => {
      const answered = clarify(item, failure)
      return answered === undefined
        ? Effect.catchCause(failedItem(item, failure), (last) =>
            unlessHeld(held, last, () => Effect.failCause(last)),
          )
        : settledItem(item, held, answered)
    }),
  )
}

const settledItem = (
  item: Occurrence,
  held: Array<Suspended>,
  again: Effect.Effect<Json, Failure>,
): Effect.Effect<Json, Failure> =>
  Effect.matchCauseEffect(again, {
    onSuccess: (output) => {
      const wrong = finishedItem(item, output)
      return wrong === undefined
        ? Effect.succeed(output)
        : Effect.flatMap(quotable(item, wrong), (failure) => failedItem(item, failure))
    },
    onFailure: (cause) => afterFailure(item, held, cause),
  })

const unhandled = (failure: FailureRecord): Effect.Effect<never, StageFailed> =>
  Effect.fail(new StageFailed(failure))

/** Collects the suspension of an item that waits, which yields no value while the others continue to their end. */
const unlessHeld = (
  held: Array<Suspended>,
  cause: Cause.Cause<Failure>,
  otherwise: (failure: FailureRecord) => Effect.Effect<Json, Failure>,
): Effect.Effect<Json, Failure> => {
  const suspended = suspensionIn(cause)
  if (suspended === undefined) return unlessInterrupted(cause, otherwise)
  held.push(suspended)
  return Effect.succeed(null)
}

const failedItem = (
  occurrence: Occurrence,
  failure: FailureRecord,
): Effect.Effect<Json, Failure> => {
  emitFailed(occurrence, failure)
  switch (occurrence.node.onError) {
    case "continue":
      return Effect.succeed(null)
    case "fallback":
      return Effect.matchEffect(runFallback(occurrence), {
        onSuccess: (output) =>
          Effect.as(
            Effect.sync(() => emitFinished(occurrence, output)),
            output,
          ),
        onFailure: (last) => Effect.flatMap(quotable(occurrence, last), unhandled),
      })
    case "fail":
      return Effect.fail(leavingFailure(occurrence, failure))
  }
}
