/** Implements `planloom prompts show`: prints a text exactly as a model gets it before expressions are evaluated. */
import * as Effect from "effect/Effect"
import type { ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { print, stdout } from "../terminal/Screen.ts"
import { parseVersion, textOf, withPrompts } from "./withPrompts.ts"

export interface ShowPromptFlags extends ReadingFlags {
  readonly workflow: string
  readonly prompt: string
  readonly version: string
  readonly json: boolean
}

export const showPrompt: Handler<ShowPromptFlags> = (flags) =>
  withPrompts(flags.workflow, flags, "reads", (prompts) =>
    Effect.gen(function* () {
      const version = yield* parseVersion(flags.version)
      const { name, text } = yield* textOf(prompts, flags.prompt, version)
      if (flags.json) print(JSON.stringify({ prompt: flags.prompt, of: name, text }, null, 2))
      else stdout.write(text)
      return "ok" as ExitName
    }),
  )
