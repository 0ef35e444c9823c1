/** Loads a workflow for a command, or prints its diagnostics. */
import * as Effect from "effect/Effect"
import type { Checked, WorkflowInvalid } from "@planloom/embed"
import type { LoadedWorkflow } from "@planloom/core"
import type { ReadingFlags } from "../commands/options.ts"
import type { ExitName } from "../ExitCode.ts"
import type { Refused } from "../Refused.ts"
import { ShowsStacks } from "../debugFlag.ts"
import { doing } from "../terminal/activity.ts"
import { say, stderr, textWidth } from "../terminal/Screen.ts"
import { findWorkflow } from "./findWorkflow.ts"
import type { RunDefinition } from "../run/recording.ts"
import { withTrustOf } from "../trust/TrustChoice.ts"
import { loadOptions } from "./loadOptions.ts"
import { openIfArtefact, openWorkflow, type WithSources } from "./openWorkflow.ts"

/** Redirects console output of plugins to standard error, because standard output is for results. */
export const quietConsole = Effect.sync(() => {
  console.log = console.info = console.debug = console.error
})

type Use<Loaded = LoadedWorkflow> = (
  loaded: Loaded,
  path: string,
) => Effect.Effect<ExitName, Refused>

/** Diagnostics of a workflow's files. */
export type Problems = Pick<Checked, "diagnostics" | "sources">

/** Checks a workflow for commands that only read it: imports plugins without setting them up. */
export const withChecked = (given: string, flags: ReadingFlags, use: Use) =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* quietConsole
      const path = yield* findWorkflow(given)
      doing(`loading ${path}`)
      const artefact = yield* openIfArtefact(path, flags, "check")
      if (artefact !== undefined) return yield* use(artefact, path)
      const options = yield* loadOptions(flags)
      const { check } = yield* Effect.promise(() => import("@planloom/embed"))
      const checked = yield* check(path, options)
      if (checked.workflow === undefined) return yield* printProblems(checked)
      if (checked.diagnostics.length > 0) yield* printProblems(checked)
      return yield* use(checked.workflow, path)
    }),
  )

/** Loads a workflow to run it: sets the plugins up, and releases them afterwards. */
export const withLoaded = (
  given: string,
  flags: ReadingFlags,
  use: Use<WithSources>,
  refused: (problems: Problems) => Effect.Effect<ExitName> = printProblems,
): Effect.Effect<ExitName, Refused> =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* quietConsole
      const path = yield* findWorkflow(given)
      doing(`loading ${path}`)
      const loaded = yield* Effect.catchTag(
        Effect.map(openWorkflow(path, flags), (workflow) => ({ workflow })),
        "WorkflowInvalid",
        (invalid: WorkflowInvalid) => Effect.succeed({ workflow: undefined, invalid }),
      )
      return loaded.workflow === undefined
        ? yield* refused(loaded.invalid)
        : yield* use(loaded.workflow, path)
    }),
  )

/** Loads the workflow that a run started with, to resume it; the plugins are the current ones. */
export const withDefinition = (
  definition: RunDefinition,
  use: Use<WithSources>,
): Effect.Effect<ExitName, Refused> =>
  Effect.scoped(
    withTrustOf(definition, ({ file, flags, texts }) =>
      Effect.gen(function* () {
        yield* quietConsole
        doing(`loading ${file}`)
        return yield* Effect.matchEffect(
          openWorkflow(file, flags, new Map(Object.entries(texts))),
          {
            onFailure: (failure) =>
              failure._tag === "Refused" ? Effect.fail(failure) : printProblems(failure),
            onSuccess: (loaded) => use(loaded, file),
          },
        )
      }),
    ),
  )

/** Prints diagnostics to standard error, because they are not the command's result. */
export const printProblems = ({ diagnostics, sources }: Problems): Effect.Effect<ExitName> =>
  Effect.flatMap(ShowsStacks, (stacks) =>
    Effect.promise(async (): Promise<ExitName> => {
      const { report, withoutNotes } = await import("@planloom/language")
      const { style } = stderr
      const problems = withoutNotes(diagnostics)
      if (problems.length === 0) return "ok"
      say(report(problems, { color: style.color, width: textWidth(stderr), sources, stacks }))
      return "problems"
    }),
  )
