/** Starts runs of served workflows at the times of their schedules; several processes on one store start each once. */
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import type { StoreFailed } from "@planloom/plugin/effect"
import type { Worker } from "@planloom/record/worker"
import type { ApiOptions, ServedWorkflow } from "../Api.ts"
import { dueTicks, nextTick, type Times } from "./dueTicks.ts"
import { startTriggered } from "./startTriggered.ts"

export interface ScheduleOptions extends Pick<ApiOptions, "store" | "workflows"> {
  readonly worker: Worker
  /** Receives what no request can be answered with. Must not throw. */
  readonly onProblem?: (message: string) => void
}

/** The longest pause: served workflows, the clock and the record may change. */
const MAX_PAUSE_MS = 60_000

const COLLECTION = "planloom/schedules"

const now = Effect.clockWith((clock) => clock.currentTimeMillis)

export const runSchedules = (options: ScheduleOptions): Effect.Effect<never> => {
  /** Of a store that keeps no values. */
  const memory = new Map<string, number>()
  const pass = Effect.gen(function* () {
    const started = yield* now
    let next = started + MAX_PAUSE_MS
    for (const workflow of options.workflows?.values() ?? []) {
      for (const schedule of workflow.pipeline.triggers?.schedules ?? []) {
        if (options.worker.stopping) continue
        yield* Effect.catch(startDue(options, workflow, schedule, memory), ({ message }) =>
          Effect.sync(() => options.onProblem?.(message)),
        )
        next = Math.min(next, nextTick(schedule, started))
      }
    }
    yield* Effect.sleep(Math.max(1, next - (yield* now)))
  })
  return Effect.forever(pass)
}

/** A schedule that was never seen has missed nothing. */
const startDue = (
  { onProblem, store, worker }: ScheduleOptions,
  workflow: ServedWorkflow,
  schedule: PipelineSchedule,
  memory: Map<string, number>,
): Effect.Effect<void, StoreFailed> =>
  Effect.gen(function* () {
    const { name } = workflow.pipeline
    const key = keyOf(name, schedule)
    const kept = store.collection?.(COLLECTION)
    const at = yield* now
    const found = kept === undefined ? memory.get(key) : (yield* kept.get(key))?.value
    const last = typeof found === "number" ? found : at
    let done = last
    for (const tick of dueTicks(schedule, last, at)) {
      const time = new Date(tick).toISOString()
      const run = `${key}_${time.replaceAll(/[-:]|\.000/g, "")}`
      const inputs = schedule.inputs.evaluate({ schedule: { at: time } })
      const outcome = yield* startTriggered(store, worker, { workflow, run, inputs, at })
      if (typeof outcome === "object") {
        onProblem?.(`the schedule of "${name}" cannot start a run: ${outcome.message}`)
      }
      done = tick
    }
    // Also without a due time: what is skipped is not missed again.
    const reached = schedule.missed === "all" ? done : at
    if (reached === found) return
    memory.set(key, reached)
    if (kept !== undefined && (reached !== at || found === undefined || done !== last)) {
      yield* kept.put(key, reached)
    }
  })

type PipelineSchedule = NonNullable<ServedWorkflow["pipeline"]["triggers"]>["schedules"][number]

/** A schedule is the same as long as its times are. */
const keyOf = (workflow: string, { cron, zone }: Times): string =>
  `schedule_${workflow}_${createHash("sha256").update(`${cron} ${zone}`).digest("hex").slice(0, 12)}`
