/** Implements `planloom build`: writes a checked workflow as an artefact. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { CheckedWorkflow } from "@planloom/language"
import type { ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { findWorkflow } from "../project/findWorkflow.ts"
import { loadOptions } from "../project/loadOptions.ts"
import { quietConsole, printProblems } from "../project/withWorkflow.ts"
import { writeFileText } from "../project/writeText.ts"
import { problem } from "../Refused.ts"
import { print } from "../terminal/Screen.ts"

export interface BuildFlags extends ReadingFlags {
  readonly workflow: string
  readonly out: string
}

export const buildArtefact: Handler<BuildFlags> = (flags) =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* quietConsole
      const path = yield* findWorkflow(flags.workflow)
      // An artefact leaves flags open: the process that runs it sets them, not the build.
      const options = { ...(yield* loadOptions(flags)), flag: () => undefined }
      const { artefactFileName, artefactOf, checkWorkflow } = yield* Effect.promise(
        () => import("@planloom/language"),
      )
      const checked = yield* checkWorkflow(path, options, "check")
      if (checked.workflow === undefined) return yield* printProblems(checked)
      if (checked.diagnostics.length > 0) yield* printProblems(checked)
      const { sources, workflow } = checked
      const artefact = yield* Effect.promise(() =>
        artefactOf({ workflow, sources, folder: flags.out }),
      )
      const { scrubber } = yield* Effect.promise(() => import("@planloom/core/internal"))
      const text = `${JSON.stringify(artefact)}\n`
      if ((scrubber(secretsOf(workflow))?.(text) ?? text) !== text) {
        return yield* problem(
          `the files of ${path} contain the value of a declared secret; nothing was written`,
          "remove it from the files; plugins read secrets from their host",
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
