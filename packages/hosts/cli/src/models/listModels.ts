/** Implements `planloom models list`: what each alias and each stage of a workflow asks now. */
import * as Effect from "effect/Effect"
import type { ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { table } from "../terminal/table.ts"
import { oneLine } from "../terminal/text.ts"
import { modelsText, targetText, withModels } from "./withModels.ts"

export interface ListModelsFlags extends ReadingFlags {
  readonly workflow: string
  readonly json: boolean
}

export const listModels: Handler<ListModelsFlags> = (flags) =>
  withModels(flags.workflow, flags, "reads", ({ pipeline }) =>
    Effect.sync((): ExitName => {
      const { aliases, stages, unfit } = pipeline.models
      for (const swap of unfit) {
        say(
          stderr.style.warn(
            oneLine(
              `the swap of ${targetText(swap)} to ${modelsText(swap.models)} is not in force: ${swap.reason}`,
            ),
          ),
        )
      }
      if (flags.json) print(JSON.stringify({ aliases, stages, unfit }, null, 2))
      else if (aliases.length + stages.length === 0) {
        say(stderr.style.dim(`${pipeline.name} asks no model`))
      } else {
        const rows = [
          ...aliases.map(({ alias, models, names, swapped }) => [
            targetText({ alias }),
            names === undefined ? modelsText(models) : `as ${names.join(", ")}`,
            swapped ? "yes" : "",
          ]),
          ...stages.map(({ alias, models, stage, swapped }) => [
            targetText({ stage }),
            alias === undefined ? modelsText(models) : `as ${alias}`,
            swapped ? "yes" : "",
          ]),
        ]
        print(
          table(
            [
              { head: "of", align: "left", paint: stdout.style.name },
              { head: "models", align: "left" },
              { head: "swapped", align: "left" },
            ],
            rows.map((cells) => cells.map(oneLine)),
            textWidth(stdout),
            stdout.style.dim,
          ).join("\n"),
        )
      }
      return "ok"
    }),
  )
