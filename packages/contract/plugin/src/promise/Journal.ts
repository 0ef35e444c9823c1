/** Journals in promise style, and as the engine uses them. */
import * as Effect from "effect/Effect"
import type { RunEvent } from "../run/Event.ts"
import type { Journal as EffectJournal } from "../run/Journal.ts"
import { journalStep } from "../run/journalStep.ts"
import type { RecordedStep } from "../run/RecordedStep.ts"
import { sleepUntil } from "../value/sleepUntil.ts"
import type { StoreFailed } from "../run/StoreFailed.ts"
import type { Answer, Wait } from "../run/Wait.ts"
import { storeCall, type Result, type StoreCall } from "./storeCall.ts"
import { asStoreFailed } from "./Thrown.ts"

/** Records the effects of one run. Throw `StoreFailed`: after a failure the engine records nothing more. */
export interface Journal {
  /**
   * The recorded outcome of a step, or undefined. Throws `StoreFailed` with `fenced` if another process has claimed
   * the run and the step has no outcome.
   */
  readonly lookup: (name: string, call: StoreCall) => Result<RecordedStep | undefined>
  readonly record: (name: string, outcome: RecordedStep, call: StoreCall) => Result<void>
  /** Records the time at which a sleep ends, unless one is recorded, and returns the recorded one. Epoch milliseconds. */
  readonly timer: (name: string, until: number, call: StoreCall) => Result<number>
  /** Records the question and returns it as first recorded, with its answer if present or if it has expired. */
  readonly wait: (
    wait: Wait,
    call: StoreCall,
  ) => Result<{ readonly wait: Wait; readonly answer?: Answer }>
  /** Records an answer to a recorded question and returns the effective one, which is the first. */
  readonly answer: (name: string, answer: Answer, call: StoreCall) => Result<Answer>
  /** Appends to the run's events. Called for one event after the other; the run does not wait for it. */
  readonly event: (event: RunEvent) => Result<void>
}

/** `isDone` waits for the events that are not written yet, and fails with the first failure of the journal. */
export const promiseJournal = (
  one: Journal,
): { readonly journal: EffectJournal; readonly isDone: Effect.Effect<void, StoreFailed> } => {
  let failure: StoreFailed | undefined
  let writing: Promise<void> | undefined
  const fail = (error: unknown) => {
    failure ??= asStoreFailed(error)
  }
  /** After a failure nothing more is recorded. */
  const recorded = <A>(work: (call: StoreCall) => A | PromiseLike<A>): Effect.Effect<A> =>
    Effect.suspend(() =>
      failure === undefined
        ? Effect.orDie(Effect.tapError(storeCall(work), (error) => Effect.sync(() => fail(error))))
        : Effect.die(failure),
    )
  const lookup: EffectJournal["lookup"] = (name) => recorded((call) => one.lookup(name, call))
  const record: EffectJournal["record"] = (name, outcome) =>
    recorded((call) => one.record(name, outcome, call))
  const write = (event: RunEvent): Promise<void> | undefined => {
    if (failure !== undefined) return undefined
    try {
      const written = one.event(event)
      return written === undefined ? undefined : Promise.resolve(written).then(undefined, fail)
    } catch (error) {
      fail(error)
      return undefined
    }
  }
  const journal: EffectJournal = {
    lasting: true,
    lookup,
    record,
    step: journalStep({ lookup, record }),
    sleep: (name, until) =>
      Effect.flatMap(
        recorded((call) => one.timer(name, until, call)),
        sleepUntil,
      ),
    wait: (wait) => recorded((call) => one.wait(wait, call)),
    answer: (name, answer) => recorded((call) => one.answer(name, answer, call)),
    event: (event) => {
      if (writing === undefined) {
        writing = write(event)
        return
      }
      const mine = writing.then(() => write(event))
      writing = mine
    },
  }
  const isDone = Effect.flatMap(
    Effect.promise(async () => writing),
    () => (failure === undefined ? Effect.void : Effect.fail(failure)),
  )
  return { journal, isDone }
}
