/** Implements `planloom runs replay`: replays a record without calling any model or tool. */
import type { JsonObject, RecordedRun } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { LoadedWorkflow } from "@planloom/core"
import type { Difference, Replayed } from "@planloom/record/replay"
import type { StageChange } from "@planloom/record/reset"
import type { InputFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { withDefinition, withLoaded } from "../project/withWorkflow.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import { readUser } from "../run/readUser.ts"
import { readDefinition, type RunDefinition } from "../run/recording.ts"
import { print, say, stderr } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import { viewOf } from "../progress/viewOf.ts"
import { inputsAgain, notGiven } from "./personalInputs.ts"
import { withRecorded } from "./withRecorded.ts"

export interface ReplayFlags extends InputFlags {
  readonly id: string
  readonly definition: "recorded" | "current"
  readonly json: boolean
}

export const replayRun: Handler<ReplayFlags> = (flags) =>
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
          : withCurrent(definition, (after) =>
              Effect.flatMap(
                Effect.promise(() => import("@planloom/record/reset")),
                ({ stageChanges }) => replayed(after, stageChanges(before, after), recorded, flags),
              ),
            ),
      )
    }),
  )

const withCurrent = (
  { file, flags }: RunDefinition,
  use: (loaded: LoadedWorkflow) => Effect.Effect<ExitName, Refused>,
) => withLoaded(file, flags, use)

const replayed = (
  loaded: LoadedWorkflow,
  changes: ReadonlyArray<StageChange>,
  recorded: RecordedRun,
  { input, inputs: file, json, userText }: ReplayFlags,
): Effect.Effect<ExitName, Refused> =>
  Effect.gen(function* () {
    const { firstDifference, replay } = yield* Effect.promise(
      () => import("@planloom/record/replay"),
    )
    const started = {
      inputs: recorded.inputs as JsonObject,
      personalDigests: recorded.personalDigests ?? {},
    }
    const inputs = yield* inputsAgain(loaded, started, { input, inputs: file })
    const user = yield* readUser(loaded, { userText })
    // Placeholders stand for those that are missing, which suffices if the workflow accepts any text.
    const { missingInputs } = yield* Effect.promise(() => import("@planloom/core/internal"))
    const missing = missingInputs(started, inputs)
    const view = json ? undefined : yield* viewOf(loaded.definition)
    view?.start()
    const found = yield* Effect.ensuring(
      Effect.catchTag(
        replay(loaded.pipeline, recorded, {
          inputs,
          user,
          ...(view === undefined ? {} : { onEvent: view.push }),
        }),
        "InputsRejected",
        ({ message }) =>
          missing.length > 0
            ? notGiven(missing)
            : usage(message, "the current workflow takes other inputs"),
      ),
      Effect.sync(() => view?.stop()),
    )
    const differs = firstDifference(found, changes, recorded)
    if (json) {
      const { differentInputs, result, same } = found
      print(
        JSON.stringify({
          run: recorded.run,
          same: same && differs === undefined,
          status: result.status,
          recorded: recorded.status,
          ...(differentInputs.length === 0 ? {} : { different_inputs: differentInputs }),
          ...(differs === undefined ? {} : { differs }),
        }),
      )
    } else printResult(found, differs, recorded)
    if (found.differentInputs.length > 0) return "problems"
    return (found.same && differs === undefined) || recorded.finishedAt === undefined
      ? "ok"
      : "problems"
  })

const printResult = (
  { differentInputs, missing, result, same }: Replayed,
  differs: Difference | undefined,
  recorded: RecordedRun,
): void => {
  const { style } = stderr
  if (differentInputs.length > 0) {
    const names = differentInputs.map((name) => `"${name}"`).join(", ")
    say(style.warn(oneLine(`different inputs: ${names} differ from those of the record`)))
  }
  if (differs !== undefined) {
    say(style.bold(style.warn(`first difference at ${oneLine(differs.step)}`)))
    say(`  ${differs.why}`)
  }
  if (recorded.finishedAt === undefined) {
    say(
      missing === undefined
        ? "the record is complete except for the end of the run"
        : `the record ends before ${oneLine(missing)}; a resumed run continues there`,
    )
  } else if (same) say(`same result: ${result.status}`)
  else if (differentInputs.length === 0) {
    say(
      style.warn(
        `different result: recorded ${recorded.status}, now ${endOf(result.status, missing)}`,
      ),
    )
  }
}

const endOf = (status: string, missing: string | undefined): string =>
  missing === undefined ? status : "open"
