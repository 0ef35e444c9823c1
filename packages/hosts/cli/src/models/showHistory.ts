/** Implements `planloom models history`: the swaps of a workflow, newest first. */
import * as Effect from "effect/Effect"
import type { ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { timeText } from "../runs/listRuns.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { table } from "../terminal/table.ts"
import { oneLine } from "../terminal/text.ts"
import { modelsText, targetText, withModels } from "./withModels.ts"

export interface SwapHistoryFlags extends ReadingFlags {
  readonly workflow: string
  readonly json: boolean
}

export const showHistory: Handler<SwapHistoryFlags> = (flags) =>
  withModels(flags.workflow, flags, "reads", ({ kept, pipeline }) =>
    Effect.gen(function* () {
      const swaps = kept === undefined ? [] : (yield* kept.history(pipeline.name)).toReversed()
      if (flags.json) print(JSON.stringify(swaps, null, 2))
      else if (swaps.length === 0) say(stderr.style.dim(`no model of ${pipeline.name} was swapped`))
      else {
        print(
          table(
            [
              { head: "swap", align: "right", paint: stdout.style.name },
              { head: "of", align: "left" },
              { head: "from", align: "left" },
              { head: "to", align: "left" },
              { head: "when", align: "left" },
              { head: "by", align: "left" },
              { head: "why", align: "left" },
            ],
            swaps.map((swap) => [
              String(swap.number),
              oneLine(targetText(swap)),
              oneLine(modelsText(swap.before)),
              oneLine(modelsText(swap.after)),
              timeText(swap.at),
              oneLine(swap.by),
              oneLine(swap.undoes === undefined ? swap.why : `undoes ${swap.undoes} ${swap.why}`),
            ]),
            textWidth(stdout),
            stdout.style.dim,
          ).join("\n"),
        )
      }
      return "ok" as ExitName
    }),
  )
