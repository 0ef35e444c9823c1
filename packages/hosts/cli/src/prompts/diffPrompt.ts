/** Implements `planloom prompts diff`: the lines that differ between two texts of a prompt. */
import * as Effect from "effect/Effect"
import type { ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { print, say, stderr, stdout } from "../terminal/Screen.ts"
import { diffLines } from "../terminal/diffLines.ts"
import { parseVersion, textOf, withPrompts } from "./withPrompts.ts"

export interface DiffPromptFlags extends ReadingFlags {
  readonly workflow: string
  readonly prompt: string
  readonly from: string
  readonly to: string
}

export const diffPrompt: Handler<DiffPromptFlags> = (flags) =>
  withPrompts(flags.workflow, flags, "reads", (prompts) =>
    Effect.gen(function* () {
      const { prompt } = flags
      const from = yield* textOf(prompts, prompt, yield* parseVersion(flags.from))
      const to = yield* textOf(prompts, prompt, yield* parseVersion(flags.to))
      if (from.text === to.text) say(stderr.style.dim("the texts are the same"))
      else print(diffText(from, to))
      return "ok" as ExitName
    }),
  )

interface Named {
  readonly name: string
  readonly text: string
}

const diffText = (from: Named, to: Named): string =>
  [`- ${from.name}`, `+ ${to.name}`, "", ...diffLines(from.text, to.text, stdout.style)].join("\n")
