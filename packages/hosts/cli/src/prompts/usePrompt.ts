/** Implements `planloom prompts use`: makes a version of a prompt active, or the text of its file. */
import * as Effect from "effect/Effect"
import type { ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { usage } from "../Refused.ts"
import { print, say } from "../terminal/Screen.ts"
import { printProblems } from "../project/withWorkflow.ts"
import { checkPrompt } from "./checkPrompt.ts"
import { changeOf } from "./editPrompt.ts"
import { fileOf, parseVersion, textOf, withPrompts } from "./withPrompts.ts"

export interface UsePromptFlags extends ReadingFlags {
  readonly workflow: string
  readonly prompt: string
  readonly version: string
  readonly by: string | undefined
  readonly why: string | undefined
  readonly json: boolean
}

export const usePrompt: Handler<UsePromptFlags> = (flags) =>
  withPrompts(flags.workflow, flags, "writes", (prompts) =>
    Effect.gen(function* () {
      const { prompt } = flags
      const { path, workflow } = prompts
      const file = yield* fileOf(prompts, prompt)
      const version = yield* parseVersion(flags.version)
      if (version === "active") return yield* usage("name a version, or file")
      if (version !== "file") {
        // The workflow may have changed since the version was made.
        const { text } = yield* textOf(prompts, prompt, version)
        const checked = yield* checkPrompt(path, flags, { prompt, file: file.path, text })
        if (checked.issues.some(({ code }) => code !== undefined))
          return yield* printProblems(checked)
      }
      const state = yield* prompts.registry!.use(workflow, prompt, version, changeOf(flags))
      if (flags.json) print(JSON.stringify({ prompt, ...state }))
      else
        say(
          version === "file"
            ? `${prompt} has the text of ${file.path} again`
            : `version ${version} of ${prompt} is active`,
        )
      return "ok" as ExitName
    }),
  )
