/** Implements `planloom models swap`: other models for an alias or a stage, from the next call on. */
import * as Effect from "effect/Effect"
import type { SwapTarget } from "@planloom/core/internal"
import { viaShell } from "../audit/viaShell.ts"
import type { ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { print, say } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import { modelsText, targetText, withModels } from "./withModels.ts"

export interface SwapModelsFlags extends ReadingFlags {
  readonly workflow: string
  readonly target: string
  readonly models: ReadonlyArray<string>
  readonly by: string | undefined
  readonly why: string | undefined
  readonly json: boolean
}

export const swapModels: Handler<SwapModelsFlags> = (flags) =>
  withModels(flags.workflow, flags, "writes", ({ kept, pipeline }) =>
    Effect.gen(function* () {
      const { swapKept } = yield* Effect.promise(() => import("@planloom/record/models"))
      const swap = yield* swapKept(
        kept!,
        pipeline,
        targetOf(flags.target),
        flags.models,
        reasonOf(flags),
      )
      if (flags.json) print(JSON.stringify(swap))
      else say(oneLine(`${targetText(swap)} asks ${modelsText(swap.after)} from the next call on`))
      return "ok" as ExitName
    }),
  )

const targetOf = (given: string): SwapTarget =>
  given.startsWith("stage:")
    ? { stage: given.slice("stage:".length) }
    : given.startsWith("alias:")
      ? { alias: given.slice("alias:".length) }
      : given

/** The reason of a change, by the person at the command. */
export const reasonOf = ({ by, why }: Pick<SwapModelsFlags, "by" | "why">) => ({
  by: by ?? process.env["USER"] ?? "person",
  why: why ?? "",
  via: viaShell(),
})
