/** Does what `planloom runs cancel` asks. */
import type { CancelRequest, RunRecord, RunStore, StoreFailed } from "@planloom/plugin"
import * as Effect from "effect/Effect"
import type { InputFlags } from "../commands/options.ts"
import type { Doing } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { withDefinition } from "../project/withWorkflow.ts"
import { problem, type Refused } from "../Refused.ts"
import { onUnrecorded } from "../run/recording.ts"
import { print, say, stderr } from "../terminal/Screen.ts"
import { asRefused, definitionOfRun } from "./goOn.ts"
import { inputsAgain } from "./personalInputs.ts"
import { runNamed, withRuns } from "./withRuns.ts"

export interface CancelFlags extends InputFlags {
  readonly id: string
  readonly now: boolean
  readonly reason: string | undefined
  readonly json: boolean
}

/** Milliseconds to wait for the run's end, so that it can be told. */
const PATIENCE = 2000

export const cancelRun: Doing<CancelFlags> = (flags) =>
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
      return exit ?? (yield* tell(store, run, flags.json, request))
    }),
  )

/** Its owner looks several times a second; a step under way may take longer than anybody waits. */
const untilEnded = (store: RunStore, run: string): Effect.Effect<undefined, StoreFailed> => {
  const deadline = Date.now() + PATIENCE
  const look: Effect.Effect<undefined, StoreFailed> = Effect.flatMap(store.show(run), (record) =>
    record?.finishedAt !== undefined || Date.now() > deadline
      ? Effect.as(Effect.void, undefined)
      : Effect.flatMap(Effect.sleep(50), () => look),
  )
  return look
}

/** Nobody is at work on it: `finally` is done by this process. The exit when its files have problems. */
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
          const inputs = yield* inputsAgain(loaded, record, flags)
          const core = yield* Effect.promise(() => import("@planloom/core"))
          yield* Effect.exit(
            core.run(loaded.pipeline, inputs, {
              store,
              run,
              onUnrecorded,
              secrets: loaded.secrets,
              cancellation: new core.Cancellation(request),
            }),
          )
          done = true
          return "ok" as ExitName
        }),
      ),
    )
    return done ? undefined : exit
  })

const tell = (
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
      say(stderr.style.warn(`the run had come to its end: ${status}`))
    } else {
      say(`the run ${run} ends when the step under way has ended`)
      say(`  help: planloom runs watch ${run}, or planloom runs cancel ${run} --now`)
    }
    return "ok"
  })
