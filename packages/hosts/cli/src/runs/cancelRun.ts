/** Implements `planloom runs cancel`: asks the run's owner to cancel it, or cancels it here. */
import type { CancelRequest, RunRecord, RunStore, StoreFailed } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { InputFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { withDefinition } from "../project/withWorkflow.ts"
import { problem, type Refused } from "../Refused.ts"
import { readUser } from "../run/readUser.ts"
import { onUnrecorded } from "../run/recording.ts"
import { print, say, stderr } from "../terminal/Screen.ts"
import { telemetryOf } from "../run/telemetry.ts"
import { asRefused, definitionOfRun, resumedBy } from "./recordedRun.ts"
import { readPersonalInputs } from "./personalInputs.ts"
import { runNamed, withRuns } from "./withRuns.ts"

export interface CancelFlags extends InputFlags {
  readonly id: string
  readonly now: boolean
  readonly reason: string | undefined
  readonly json: boolean
}

/** How long to wait for the end of the run, to report it. */
const WAIT_FOR_END_MS = 2000

export const cancelRun: Handler<CancelFlags> = (flags) =>
  withRuns((store) =>
    Effect.gen(function* () {
      const record = yield* runNamed(store, flags.id)
      const { run } = record
      if (record.finishedAt !== undefined) {
        return yield* problem(`the run has ended: ${record.status}`, `planloom runs show ${run}`)
      }
      const request: CancelRequest = {
        mode: flags.now ? "now" : "after",
        reason: flags.reason ?? "cancelled with planloom runs cancel",
      }
      const asked = yield* store.cancel(run, request)
      const exit = asked
        ? yield* untilEnded(store, run)
        : yield* cancelHere(store, record, request, flags)
      return exit ?? (yield* printResult(store, run, flags.json, request))
    }),
  )

/** Waits for the run's end; its owner polls several times a second, but the current step may take longer. */
const untilEnded = (store: RunStore, run: string): Effect.Effect<undefined, StoreFailed> => {
  const deadline = Date.now() + WAIT_FOR_END_MS
  const look: Effect.Effect<undefined, StoreFailed> = Effect.flatMap(store.show(run), (record) =>
    record?.finishedAt !== undefined || Date.now() > deadline
      ? Effect.as(Effect.void, undefined)
      : Effect.flatMap(Effect.sleep(50), () => look),
  )
  return look
}

/** Cancels a run without an owner: runs its `finally` stages here. Returns the exit name if its files have problems. */
const cancelHere = (
  store: RunStore,
  record: RunRecord,
  request: CancelRequest,
  flags: InputFlags,
): Effect.Effect<ExitName | undefined, Refused | StoreFailed> =>
  Effect.gen(function* () {
    const { run } = record
    const definition = yield* definitionOfRun(store, run)
    let done = false
    const exit = yield* withDefinition(definition, (loaded) =>
      asRefused(
        Effect.gen(function* () {
          const inputs = yield* readPersonalInputs(store, loaded, record, flags)
          const user = yield* readUser(loaded, flags, record)
          const core = yield* Effect.promise(() => import("@planloom/core"))
          yield* Effect.exit(
            core.run(loaded.pipeline, inputs, {
              store,
              run,
              user,
              onUnrecorded,
              by: resumedBy(undefined),
              ...(yield* telemetryOf(loaded)),
              secrets: loaded.secrets,
              cancellation: new core.Cancellation(request),
            }),
          )
          done = true
          return "ok" as ExitName
        }).pipe(Effect.scoped),
      ),
    )
    return done ? undefined : exit
  })

const printResult = (
  store: RunStore,
  run: string,
  json: boolean,
  { mode, reason }: CancelRequest,
): Effect.Effect<ExitName, Refused | StoreFailed> =>
  Effect.map(store.show(run), (record): ExitName => {
    const status = record?.status ?? "cancelled"
    if (json) print(JSON.stringify({ run, status, mode, reason }))
    else if (status === "cancelled") say(`the run ${run} is cancelled`)
    else if (record?.finishedAt !== undefined) {
      say(stderr.style.warn(`the run had already ended: ${status}`))
    } else {
      say(`the run ${run} ends after its current step`)
      say(`  help: planloom runs watch ${run}, or planloom runs cancel ${run} --now`)
    }
    return "ok"
  })
