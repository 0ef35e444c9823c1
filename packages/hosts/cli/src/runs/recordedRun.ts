/** Loads and resumes recorded runs for the commands of `planloom runs`. */
import type { JsonObject, RunRecord, RunStore, StoreFailed } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { ExitName } from "../ExitCode.ts"
import { problem, type Refused } from "../Refused.ts"
import { onUnrecorded, readDefinition, type Loaded, type RunDefinition } from "../run/recording.ts"
import { runLoaded, type DisplayFlags } from "../run/runWorkflow.ts"
import { print } from "../terminal/Screen.ts"

/** Returns the workflow that the run started with. */
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

/**
 * Resumes a run and shows it like any other run. With `epoch`, fails if another process has opened the run since.
 * `printLast` also prints the last recorded event with --json.
 */
export const resumeRecorded = (
  store: RunStore,
  loaded: Loaded,
  { epoch, inputs, run }: Pick<RunRecord, "inputs" | "run"> & { readonly epoch?: number },
  flags: DisplayFlags & { readonly by: string | undefined },
  printLast = false,
): Effect.Effect<ExitName, Refused | StoreFailed> =>
  Effect.flatMap(store.events(run), (earlier) => {
    if (printLast && flags.json) print(JSON.stringify(earlier.at(-1)))
    return runLoaded(loaded, inputs as JsonObject, flags, {
      earlier,
      options: {
        store,
        run,
        by: resumedBy(flags.by),
        onUnrecorded,
        ...(epoch === undefined ? {} : { epoch }),
      },
    })
  })

/** Who resumes a run here: the name of `--by`, or the user of this machine. */
export const resumedBy = (by: string | undefined): string => by ?? process.env["USER"] ?? "person"

/** Converts failures of the store to refusals. */
export const asRefused = <A>(
  work: Effect.Effect<A, Refused | StoreFailed>,
): Effect.Effect<A, Refused> =>
  Effect.catchTag(work, "StoreFailed", ({ message }) => Effect.fail(problem(message)))

/** Fails while a process owns the run. An owner on another machine is watched until its state is certain. */
export const mustBeIdle = (
  store: RunStore,
  { active, run }: RunRecord,
  help = `wait for it, watch it with planloom runs watch ${run}, or cancel it with planloom runs cancel ${run}`,
): Effect.Effect<void, Refused | StoreFailed> =>
  Effect.flatMap(active ? store.watchOwner(run) : Effect.succeed(false), (alive) =>
    alive ? Effect.fail(problem("another process owns this run", help)) : Effect.void,
  )
