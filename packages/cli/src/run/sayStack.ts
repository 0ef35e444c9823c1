/** Prints where a component threw and so failed a run, with `--debug`. */
import type { Json } from "@planloom/plugin/effect"
import type { RunResult } from "@planloom/core"
import * as Effect from "effect/Effect"
import { ShowsStacks } from "../debugFlag.ts"
import { say } from "../terminal/Screen.ts"
import { visible } from "../terminal/text.ts"

export const sayStack = ({ failure }: Pick<RunResult, "failure">): Effect.Effect<void> =>
  Effect.map(ShowsStacks, (shows) => {
    const { stack } = (failure?.detail ?? {}) as { readonly stack?: Json }
    if (shows && typeof stack === "string") say(visible(stack))
  })
