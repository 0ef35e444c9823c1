/** Implements `planloom prompts diff`: the lines that differ between two texts of a prompt. */
import { diff } from "node:util"
import * as Effect from "effect/Effect"
import type { ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { print, say, stderr, stdout } from "../terminal/Screen.ts"
import { visible } from "../terminal/text.ts"
import { parseVersion, textOf, withPrompts } from "./withPrompts.ts"

export interface DiffPromptFlags extends ReadingFlags {
  readonly workflow: string
  readonly prompt: string
  readonly from: string
  readonly to: string
}

/** Equal lines that are shown beside different ones. */
const CONTEXT_LINES = 3

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

const diffText = (from: Named, to: Named): string => {
  const { style } = stdout
  // 1: a line of the first text, -1: of the second.
  const lines = diff(from.text.split("\n"), to.text.split("\n"))
  const isNear = (at: number) =>
    lines
      .slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1)
      .some(([kind]) => kind !== 0)
  const shown = lines.flatMap(([kind, line], at) => {
    if (!isNear(at)) return isNear(at - 1) ? [style.dim("…")] : []
    const text = visible(line)
    return kind === 0
      ? [`  ${text}`]
      : kind > 0
        ? [style.bad(`- ${text}`)]
        : [style.good(`+ ${text}`)]
  })
  return [`- ${from.name}`, `+ ${to.name}`, "", ...shown].join("\n")
}
