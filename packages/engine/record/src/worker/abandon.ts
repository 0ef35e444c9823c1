/** Fails a run that was claimed repeatedly without progress, because each process that claimed it died. */
import * as Effect from "effect/Effect"
import type {
  FailureRecord,
  JsonObject,
  RunEvent,
  RunRecord,
  RunStore,
  StoreFailed,
  Untimed,
} from "@planloom/plugin/effect"
import { RunFailed, resultOf } from "@planloom/core"

/** Owners that fell silent in a row without a new step after which a run is abandoned, unless configured. */
export const DEFAULT_ATTEMPTS = 5

/** Whether the run may be what made its last owner fall silent: it executes alone until it has recorded a step. */
export const isSuspect = ({ attemptsWithoutProgress = 0 }: RunRecord): boolean =>
  attemptsWithoutProgress > 0

/**
 * Records that the run has failed with class `internal`. Executes nothing of it, not even `finally`, which may be what
 * kills the process. Fails with `fenced` when another process has claimed it.
 */
export const abandon = (
  store: RunStore,
  { epoch, attemptsWithoutProgress = 0, inputs, run, suspicion, workflow }: RunRecord,
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
        message: `claimed ${attemptsWithoutProgress === 1 ? "once" : `${attemptsWithoutProgress} times`} without recording a step ${since}: ${suspicion ?? "it kills its process, or is killed with it"}; fix it, then planloom runs reset ${run}`,
      }
      const at = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
      const events: Array<RunEvent> = [...opened.events]
      const emit = (event: Untimed<RunEvent>) => {
        const timed = { ...event, seq: (events.at(-1)?.seq ?? -1) + 1, at } as RunEvent
        events.push(timed)
        opened.journal.event(timed)
      }
      if (events.length === 0)
        emit({
          type: "RunStarted",
          run,
          workflow,
          inputs: inputs as JsonObject,
          ...(opened.session === undefined ? {} : { session: opened.session }),
        })
      emit({ type: "RunFailed", failure: reason })
      yield* opened.close
      return yield* new RunFailed({ message: reason.message, reason, result: resultOf(events) })
    }),
  )
