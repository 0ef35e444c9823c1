/** Prints where components threw in a run, with `--debug`: also those whose failures the run survived. */
import type { RunEvent } from "@planloom/plugin/effect"
import type { RunResult } from "@planloom/core"
import * as Effect from "effect/Effect"
import { ShowsStacks } from "../debugFlag.ts"
import { say } from "../terminal/Screen.ts"
import { visible } from "../terminal/text.ts"

export class Stacks {
  private readonly found = new Set<string>()

  readonly push = (event: RunEvent | Pick<RunResult, "failure">): void => {
    const { failure } = event as { readonly failure?: RunResult["failure"] }
    const { stack } = (failure?.detail ?? {}) as { readonly stack?: unknown }
    if (typeof stack === "string") this.found.add(stack)
  }

  /** A reader of events that comes before this one. */
  readonly before =
    (next: ((event: RunEvent) => void) | undefined) =>
    (event: RunEvent): void => {
      this.push(event)
      next?.(event)
    }

  /** Prints each stack once, with that of the run's own failure. */
  print(result: Pick<RunResult, "failure">): Effect.Effect<void> {
    return Effect.map(ShowsStacks, (shows) => {
      if (!shows) return
      this.push(result)
      for (const stack of this.found) say(visible(stack))
    })
  }
}
