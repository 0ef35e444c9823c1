/** Does what `planloom runs replay` asks: goes over a record without doing anything. */
import type { RecordedRun } from "@planloom/plugin"
import * as Effect from "effect/Effect"
import type { LoadedWorkflow } from "@planloom/core"
import type { Replayed } from "@planloom/record/replay"
import type { StageChange } from "@planloom/record/reset"
import type { InputFlags } from "../commands/options.ts"
import type { Doing } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { withDefinition, withLoaded } from "../project/withWorkflow.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import { readDefinition, type RunDefinition } from "../run/recording.ts"
import { print, say, stderr } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import { viewOf } from "../progress/viewOf.ts"
import { inputsAgain } from "./personalInputs.ts"
import { withRecorded } from "./withRecorded.ts"

export interface ReplayFlags extends InputFlags {
  readonly id: string
  readonly definition: "recorded" | "today"
  readonly json: boolean
}

export const replayRun: Doing<ReplayFlags> = (flags) =>
  withRecorded(flags.id, ({ redacted, whole }) =>
    Effect.gen(function* () {
      if (redacted) {
        return yield* problem("a redacted run cannot be replayed", "export it without --redact")
      }
      const recorded = yield* whole
      const definition = readDefinition(recorded.definition)
      if (definition === undefined) {
        return yield* problem(`the run ${oneLine(recorded.run)} was recorded without its workflow`)
      }
      return yield* withDefinition(definition, (before) =>
        flags.definition === "recorded"
          ? replayed(before, [], recorded, flags)
          : withToday(definition, (after) =>
              Effect.flatMap(
                Effect.promise(() => import("@planloom/record/reset")),
                ({ stageChanges }) => replayed(after, stageChanges(before, after), recorded, flags),
              ),
            ),
      )
    }),
  )

const withToday = (
  { file, flags }: RunDefinition,
  use: (loaded: LoadedWorkflow) => Effect.Effect<ExitName, Refused>,
) => withLoaded(file, flags, use)

const replayed = (
  loaded: LoadedWorkflow,
  changes: ReadonlyArray<StageChange>,
  recorded: RecordedRun,
  { input, inputs: file, json }: ReplayFlags,
): Effect.Effect<ExitName, Refused> =>
  Effect.gen(function* () {
    const { replay } = yield* Effect.promise(() => import("@planloom/record/replay"))
    const given = inputsAgain(loaded, recorded, { input, inputs: file })
    // Marks in their place go as far as the workflow lets any text stand there.
    const inputs = input.length > 0 || file !== undefined ? yield* given : {}
    const view = json ? undefined : yield* viewOf(loaded.definition)
    view?.start()
    const found = yield* Effect.ensuring(
      Effect.catchTag(
        replay(loaded.pipeline, recorded, {
          inputs,
          ...(view === undefined ? {} : { onEvent: view.push }),
        }),
        "InputsRejected",
        ({ message }) =>
          Effect.andThen(given, usage(message, "the workflow of today takes other inputs")),
      ),
      Effect.sync(() => view?.stop()),
    )
    const differs = firstDifference(found, changes, recorded)
    if (json) {
      const { result, same } = found
      print(
        JSON.stringify({
          run: recorded.run,
          same: same && differs === undefined,
          status: result.status,
          recorded: recorded.status,
          ...(differs === undefined ? {} : { differs }),
        }),
      )
    } else tell(found, differs, recorded)
    return found.same && differs === undefined ? "ok" : isOpen(recorded) ? "ok" : "problems"
  })

/** A run without an end is gone over as far as it has come. */
const isOpen = ({ finishedAt }: RecordedRun): boolean => finishedAt === undefined

interface Difference {
  readonly step: string
  readonly why: string
}

/** In the order things were recorded. */
const firstDifference = (
  { missing, same, unused }: Replayed,
  changes: ReadonlyArray<StageChange>,
  recorded: RecordedRun,
): Difference | undefined => {
  const changed = new Map(
    changes.flatMap((change) => (change.invalidates ? [[change.stage, change] as const] : [])),
  )
  for (const event of recorded.events) {
    if (event.type !== "StageStarted") continue
    const change = changed.get(event.stage)
    if (change === undefined) continue
    const why =
      change.change === "removed"
        ? "the stage is not in the workflow any more"
        : `its ${change.parts.join(" and ")} has changed since`
    return { step: event.path, why }
  }
  if (missing !== undefined && !(same || isOpen(recorded))) {
    return { step: missing, why: "it is not in the record" }
  }
  return unused === undefined || isOpen(recorded)
    ? undefined
    : { step: unused, why: "the workflow has no use for it" }
}

const tell = (
  { missing, result, same }: Replayed,
  differs: Difference | undefined,
  recorded: RecordedRun,
): void => {
  const { style } = stderr
  if (differs !== undefined) {
    say(style.bold(style.warn(`first difference at ${oneLine(differs.step)}`)))
    say(`  ${differs.why}`)
  }
  if (isOpen(recorded)) {
    say(
      missing === undefined
        ? "the record is whole, only the run's end is missing"
        : `the record reaches up to ${oneLine(missing)}; from there on the run goes on`,
    )
  } else if (same) say(`it comes to the same end: ${result.status}`)
  else {
    say(
      style.warn(
        `it does not come to the same end: recorded ${recorded.status}, now ${endOf(result.status, missing)}`,
      ),
    )
  }
}

const endOf = (status: string, missing: string | undefined): string =>
  missing === undefined ? status : "open"
