/** Does what `planloom build` asks. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { CheckedWorkflow } from "@planloom/language"
import type { ReadingFlags } from "../commands/options.ts"
import type { Doing } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { findWorkflow } from "../project/findWorkflow.ts"
import { loadOptions } from "../project/loadOptions.ts"
import { quietConsole, tellProblems } from "../project/withWorkflow.ts"
import { writeFileText } from "../project/writeText.ts"
import { problem } from "../Refused.ts"
import { print } from "../terminal/Screen.ts"

export interface BuildFlags extends ReadingFlags {
  readonly workflow: string
  readonly out: string
}

export const buildArtefact: Doing<BuildFlags> = (flags) =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* quietConsole
      const path = yield* findWorkflow(flags.workflow)
      // Flags stay open in an artefact: those of the process that runs it count, not those of the build.
      const options = { ...(yield* loadOptions(flags)), flag: () => undefined }
      const { artefactFileName, artefactOf, checkWorkflow } = yield* Effect.promise(
        () => import("@planloom/language"),
      )
      const checked = yield* checkWorkflow(path, options, "check")
      if (checked.workflow === undefined) return yield* tellProblems(checked)
      if (checked.diagnostics.length > 0) yield* tellProblems(checked)
      const { sources, workflow } = checked
      const artefact = yield* Effect.promise(() =>
        artefactOf({ workflow, sources, folder: flags.out }),
      )
      const { scrubber } = yield* Effect.promise(() => import("@planloom/core/internal"))
      const text = `${JSON.stringify(artefact)}\n`
      if ((scrubber(secretsOf(workflow))?.(text) ?? text) !== text) {
        return yield* problem(
          `the files of ${path} hold the value of a declared secret; nothing is written`,
          "remove it from the files: a plugin reads it from its host",
        )
      }
      const file = join(flags.out, artefactFileName(artefact))
      yield* writeFileText(text, file)
      print(`${file}\n`)
      return "ok" as ExitName
    }),
  )

const secretsOf = ({ secrets, workflows }: CheckedWorkflow): ReadonlyArray<string> => [
  ...secrets,
  ...[...workflows.values()].flatMap(secretsOf),
]
