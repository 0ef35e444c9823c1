/** A recorded run and its workflow, for commands that take it up again. */
import type { JsonObject, RunRecord, RunStore, StoreFailed } from "@planloom/plugin"
import * as Effect from "effect/Effect"
import type { LoadedWorkflow } from "@planloom/core"
import type { ExitName } from "../ExitCode.ts"
import { problem, type Refused } from "../Refused.ts"
import { onUnrecorded, readDefinition, type RunDefinition } from "../run/recording.ts"
import { runLoaded, type Showing } from "../run/runWorkflow.ts"
import { print } from "../terminal/Screen.ts"

/** The workflow as it was when the run began. */
export const definitionOfRun = (
  store: RunStore,
  run: string,
): Effect.Effect<RunDefinition, Refused | StoreFailed> =>
  Effect.flatMap(store.definition(run), (definition) => {
    const found = readDefinition(definition)
    return found === undefined
      ? Effect.fail(problem(`the run ${run} was recorded without its workflow`))
      : Effect.succeed(found)
  })

/** Runs it over its record, shown as any other run: with an `epoch` only if nobody has opened it since. `told` also prints the last event there is, as a line. */
export const goOn = (
  store: RunStore,
  loaded: LoadedWorkflow,
  { epoch, inputs, run }: Pick<RunRecord, "inputs" | "run"> & { readonly epoch?: number },
  flags: Showing,
  told = false,
): Effect.Effect<ExitName, Refused | StoreFailed> =>
  Effect.flatMap(store.events(run), (earlier) => {
    if (told && flags.json) print(JSON.stringify(earlier.at(-1)))
    return runLoaded(loaded, inputs as JsonObject, flags, {
      earlier,
      options: { store, run, onUnrecorded, ...(epoch === undefined ? {} : { epoch }) },
    })
  })

/** What a store has to say, as the command says it. */
export const asRefused = <A>(
  work: Effect.Effect<A, Refused | StoreFailed>,
): Effect.Effect<A, Refused> =>
  Effect.catchTag(work, "StoreFailed", ({ message }) => Effect.fail(problem(message)))

/** Fails while a process is at work on the run. One that cannot be seen from here is watched until it is certain. */
export const mustBeIdle = (
  store: RunStore,
  { active, run }: RunRecord,
  help = `wait for it, watch it with planloom runs watch ${run}, or end it with planloom runs cancel ${run}`,
): Effect.Effect<void, Refused | StoreFailed> =>
  Effect.flatMap(active ? store.watchOwner(run) : Effect.succeed(false), (alive) =>
    alive ? Effect.fail(problem("another process is at work on this run", help)) : Effect.void,
  )
