/** Ends a run that nobody has come further with: whoever took it up died. */
import * as Effect from "effect/Effect"
import type {
  FailureRecord,
  JsonObject,
  RunEvent,
  RunRecord,
  RunStore,
  StoreFailed,
  Untimed,
} from "@planloom/plugin"
import { RunFailed, resultOf } from "@planloom/core"

/** Times that a run is taken up without a new step, unless somebody says otherwise. */
export const ATTEMPTS = 5

/** After so many the run may be what kills its process: nothing else should be under way beside it. */
const DOUBTFUL = 2

export const isDoubtful = ({ fruitless = 0 }: RunRecord): boolean => fruitless >= DOUBTFUL

/**
 * Records that the run has failed with class `internal`. Nothing of it is done, `finally` neither: that may be what
 * kills. Fails with `fenced` when somebody else has taken it up.
 */
export const abandon = (
  store: RunStore,
  { epoch, fruitless = 0, inputs, run, workflow }: RunRecord,
): Effect.Effect<never, RunFailed | StoreFailed> =>
  Effect.scoped(
    Effect.gen(function* () {
      const last = (yield* store.steps(run)).at(-1)
      const opened = yield* Effect.acquireRelease(
        store.open({ run, workflow, inputs, epoch }),
        ({ close }) => Effect.ignore(close),
      )
      const since = last === undefined ? "at all" : `since "${last.name}"`
      const reason: FailureRecord = {
        class: "internal",
        message: `taken up ${fruitless} times without recording a step ${since}: it kills its process, or is killed with it; mend it, then planloom runs reset ${run}`,
      }
      const at = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
      const told: Array<RunEvent> = [...opened.events]
      const tell = (event: Untimed<RunEvent>) => {
        const timed = { ...event, seq: (told.at(-1)?.seq ?? -1) + 1, at } as RunEvent
        told.push(timed)
        opened.journal.event(timed)
      }
      if (told.length === 0)
        tell({
          type: "RunStarted",
          run,
          workflow,
          inputs: inputs as JsonObject,
          ...(opened.session === undefined ? {} : { session: opened.session }),
        })
      tell({ type: "RunFailed", failure: reason })
      yield* opened.close
      return yield* new RunFailed({ message: reason.message, reason, result: resultOf(told) })
    }),
  )
