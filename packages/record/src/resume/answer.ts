/** An answer to a question of a recorded run, and the run going on with it. */
import * as Effect from "effect/Effect"
import {
  AnswerRefused,
  StoreFailed,
  type Json,
  type OpenWait,
  type RunRecord,
  type RunStore,
} from "@planloom/plugin"
import type { Pipeline, RunFailed, RunResult, InputsRejected, RunOptions } from "@planloom/core"
import { misfitOfAnswer } from "@planloom/core/internal"
import { resume } from "./resume.ts"

export interface GivenAnswer {
  /** Of the question; needed only when more than one is open. */
  readonly name?: string
  readonly value: Json
  /** Who answers; `person` unless given. */
  readonly by?: string
}

/** Checks and records an answer; gives the run as it is then. When `isWaiting`, it is for the caller to go on with it. */
export const giveAnswer = (
  store: RunStore,
  run: string,
  { by = "person", name, value }: GivenAnswer,
): Effect.Effect<RunRecord, StoreFailed | AnswerRefused> =>
  Effect.gen(function* () {
    const open = yield* store.waits({ run })
    const wanted = name ?? (yield* onlyName(store, run, open))
    const asked = open.find(({ wait }) => wait.name === wanted)
    if (asked !== undefined) {
      const misfit = yield* misfitOfAnswer(asked.wait.schema, value)
      if (misfit !== undefined) {
        return yield* new AnswerRefused({ reason: "invalid", message: misfit })
      }
    }
    const at = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    return yield* store.answer(run, wanted, { value, by, at })
  })

const onlyName = (
  store: RunStore,
  run: string,
  open: ReadonlyArray<OpenWait>,
): Effect.Effect<string, StoreFailed | AnswerRefused> =>
  Effect.gen(function* () {
    if (open.length === 1) return open[0]!.wait.name
    if ((yield* store.show(run)) === undefined) {
      return yield* new StoreFailed({ reason: "missing", message: `there is no run "${run}"` })
    }
    return yield* new AnswerRefused({
      reason: "unknown",
      message:
        open.length === 0
          ? `the run ${run} waits for no answer`
          : `the run ${run} asks ${open.length} questions; name the one that is answered: ${open.map(({ wait }) => wait.name).join(", ")}`,
    })
  })

/** Suspended, with nobody at work on it. */
export const isWaiting = ({ finishedAt, status }: RunRecord): boolean =>
  finishedAt === undefined && (status === "suspended" || status === "clarification")

/**
 * Answers, and goes on with the run in this process when it is suspended. `pipeline` must be compiled from the
 * definition the run began with. Undefined when the run is under way elsewhere: it takes the answer itself.
 */
export const answer = (
  pipeline: Pipeline,
  run: string,
  given: GivenAnswer,
  options: RunOptions & { readonly store: RunStore },
): Effect.Effect<RunResult | undefined, RunFailed | InputsRejected | StoreFailed | AnswerRefused> =>
  Effect.flatMap(giveAnswer(options.store, run, given), (record) =>
    isWaiting(record)
      ? resume(pipeline, run, { ...options, epoch: record.epoch })
      : Effect.undefined,
  )
