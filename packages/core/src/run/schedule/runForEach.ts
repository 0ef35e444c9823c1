/** Runs `for_each`: one occurrence per item of a list, up to `max_parallel` at once. */
import * as Effect from "effect/Effect"
import type * as Cause from "effect/Cause"
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
  type Occurrence,
} from "../stage/Occurrence.ts"
import { runFallback, runOccurrence, uncheckedMismatch } from "../stage/runOccurrence.ts"
import { unlessInterrupted } from "../stage/failureIn.ts"
import { itemPaths } from "./itemPaths.ts"
import { tryEvaluate } from "../stage/tryEvaluate.ts"
import { suspensionIn, together } from "../stage/suspension.ts"

/** Returns the outputs in the order of the items. An item that fails under `on_error: continue` yields `null`. */
export const runForEach = (occurrence: Occurrence): Effect.Effect<Json, Failure> => {
  const { frame, node, path } = occurrence
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
  // An item that waits yields no value; the others continue to their end.
  const held: Array<Suspended> = []
  const pathOf = itemPaths(node, path)
  const each = inParallel(items as ReadonlyArray<Json>, maxParallel, (item, index) => {
    const scope = { ...frame.scope, [as]: item, index }
    const one: Occurrence = {
      ...occurrence,
      path: pathOf(index),
      frame: {
        ...frame,
        scope: block ? { ...scope, stages: { ...frame.scope.stages } } : scope,
      },
    }
    emitStarted(one)
    return oneItem(one, held, runOccurrence(one))
  })
  const all = Effect.flatMap(each, (outputs) =>
    held.length === 0
      ? Effect.succeed(outputs)
      : Effect.die(new Suspended({ waits: together(held.map(({ waits }) => waits)) })),
  )
  return keepFailure({ name: path, frame, budgets: frame.budgets }, all)
}

/** The results of the work on each item. Each of `limit` fibers takes one item after another. */
const inParallel = <A, B, E>(
  items: ReadonlyArray<A>,
  limit: number,
  work: (item: A, index: number) => Effect.Effect<B, E>,
): Effect.Effect<Array<B>, E> =>
  Effect.suspend(() => {
    const results = Array.from<B>({ length: items.length })
    let next = 0
    const worker = () => {
      let index = 0
      return Effect.whileLoop({
        while: () => next < items.length,
        body: () => {
          index = next++
          return work(items[index]!, index)
        },
        step: (result) => {
          results[index] = result
        },
      })
    }
    const workers = Array.from({ length: Math.min(limit, items.length) }, worker)
    return Effect.as(Effect.all(workers, { concurrency: "unbounded", discard: true }), results)
  })

const oneItem = (
  occurrence: Occurrence,
  held: Array<Suspended>,
  work: Effect.Effect<Json, Failure>,
): Effect.Effect<Json, Failure> => {
  return Effect.matchCauseEffect(work, {
    onSuccess: (output): Effect.Effect<Json, Failure> => {
      const wrong = uncheckedMismatch(occurrence, output)
      if (wrong !== undefined) return failedItem(occurrence, wrong)
      emitFinished(occurrence, output)
      return Effect.succeed(output)
    },
    onFailure: (cause) =>
      unlessHeld(held, cause, (failure) => {
        const again = clarify(occurrence, failure)
        if (again !== undefined) return oneItem(occurrence, held, again)
        return Effect.catchCause(failedItem(occurrence, failure), (last) =>
          unlessHeld(held, last, () => Effect.failCause(last)),
        )
      }),
  })
}

/** Collects the suspension of an item that waits. */
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
      return Effect.tap(runFallback(occurrence), (output) =>
        Effect.sync(() => emitFinished(occurrence, output)),
      )
    case "fail":
      return Effect.fail(leavingFailure(occurrence, failure))
  }
}
