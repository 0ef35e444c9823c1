/** Records the failure of work that contains stages, so that a resume does not repeat what the failure interrupted. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import {
  StageFailed,
  toFailureRecord,
  type Failure,
  type FailureRecord,
  type Json,
} from "@planloom/plugin/effect"
import { ofRun } from "@planloom/plugin/segments"
import type { Ledger } from "../../model/limit/Ledger.ts"
import type { Block, Pipeline } from "../../pipeline/Pipeline.ts"
import type { Frame } from "../Frame.ts"
import type { StageView } from "../RunScope.ts"

/** Step name of a run's own failure. */
export const runOutcome = ofRun("failed")

/** What is recorded: the failure, and what expressions see of the stages inside. */
interface Kept {
  readonly failure: FailureRecord
  readonly stages: { readonly [id: string]: StageView }
}

/** Carries a success past the journal, which records nothing then. */
class Done {
  readonly value: unknown
  constructor(value: unknown) {
    this.value = value
  }
}

export interface Holding {
  /** Name of the record; all that is recorded inside begins with it, or belongs to the whole run. */
  readonly name: string
  readonly frame: Frame
  /** Stages inside that later ones can read. */
  readonly block?: Block | undefined
  readonly budgets: ReadonlyArray<Ledger>
}

/**
 * Runs the work, or fails as recorded without starting anything. Success, interruption and suspension leave no record.
 */
export const keepFailure = <A, E extends Failure>(
  { budgets, block, frame, name }: Holding,
  work: Effect.Effect<A, E>,
): Effect.Effect<A, E | StageFailed> => {
  const { state } = frame
  if (!state.journal.lasting) return work
  return Effect.suspend(() => {
    let made = false
    const step = Effect.suspend(() => {
      made = true
      return Effect.matchEffect(work, {
        onSuccess: (value) => Effect.die(new Done(value)),
        onFailure: (failure) =>
          Effect.succeed({
            failure: toFailureRecord(failure),
            stages: block === undefined ? {} : viewsOf(block, frame),
          } satisfies Kept as unknown as Json),
      })
    })
    return Effect.matchCauseEffect(state.outcome(name, step), {
      onSuccess: (kept): Effect.Effect<A, StageFailed> => {
        const { failure, stages } = kept as unknown as Kept
        if (!made) {
          Object.assign(frame.scope.stages, stages)
          state.priorSpending?.bookWithin(name === runOutcome ? "" : name, budgets)
        }
        return Effect.fail(new StageFailed(failure))
      },
      onFailure: (cause) => {
        const done = doneIn(cause)
        return done === undefined
          ? Effect.failCause(cause as Cause.Cause<never>)
          : Effect.succeed(done.value as A)
      },
    })
  })
}

/** Records the failure of a whole run, because its `finally` acts on that failure. */
export const keepRunFailure = <A, E extends Failure>(
  { finally: lastly, main }: Pipeline,
  frame: Frame,
  work: Effect.Effect<A, E>,
): Effect.Effect<A, E | StageFailed> =>
  lastly.nodes.length === 0
    ? work
    : keepFailure({ name: runOutcome, frame, block: main, budgets: frame.budgets }, work)

const doneIn = ({ reasons }: Cause.Cause<unknown>): Done | undefined => {
  for (const reason of reasons) {
    if (Cause.isDieReason(reason) && reason.defect instanceof Done) return reason.defect
  }
  return undefined
}

/** Stages of blocks inside share the scope; those of a list's items have one of their own. */
export const viewsOf = (block: Block, frame: Frame): Kept["stages"] => {
  const views: { [id: string]: StageView } = {}
  const visit = ({ nodes }: Block): void => {
    for (const { forEach, id, work } of nodes) {
      const view = frame.scope.stages[id]
      if (view !== undefined) views[id] = view
      if (work.type === "block" && forEach === undefined) visit(work.block)
    }
  }
  visit(block)
  return views
}
