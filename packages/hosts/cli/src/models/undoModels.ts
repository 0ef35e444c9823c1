/** Implements `planloom models undo`: takes the last swap of a workflow back. */
import * as Effect from "effect/Effect"
import type { ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { problem } from "../Refused.ts"
import { print, say } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import { reasonOf } from "./swapModels.ts"
import { modelsText, targetText, withModels } from "./withModels.ts"

export interface UndoModelsFlags extends ReadingFlags {
  readonly workflow: string
  readonly by: string | undefined
  readonly why: string | undefined
  readonly json: boolean
}

export const undoModels: Handler<UndoModelsFlags> = (flags) =>
  withModels(flags.workflow, flags, "reads", ({ kept, pipeline }) =>
    Effect.gen(function* () {
      const { undoKept } = yield* Effect.promise(() => import("@planloom/record/models"))
      const swap = kept && (yield* undoKept(kept, pipeline, reasonOf(flags)))
      if (swap === undefined) {
        return yield* problem(
          `no swap of ${pipeline.name} is in force`,
          `planloom models history ${pipeline.name}`,
        )
      }
      if (flags.json) print(JSON.stringify(swap))
      else say(oneLine(`${targetText(swap)} asks ${modelsText(swap.after)} again`))
      return "ok" as ExitName
    }),
  )
