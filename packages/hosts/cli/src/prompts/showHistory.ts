/** Implements `planloom prompts history`: the versions of a prompt, newest first. */
import * as Effect from "effect/Effect"
import type { ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { timeText } from "../runs/listRuns.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { table } from "../terminal/table.ts"
import { oneLine } from "../terminal/text.ts"
import { fileOf, withPrompts } from "./withPrompts.ts"

export interface HistoryFlags extends ReadingFlags {
  readonly workflow: string
  readonly prompt: string
  readonly json: boolean
}

export const showHistory: Handler<HistoryFlags> = (flags) =>
  withPrompts(flags.workflow, flags, "reads", (prompts) =>
    Effect.gen(function* () {
      const { prompt } = flags
      const { registry, workflow } = prompts
      const file = yield* fileOf(prompts, prompt)
      const versions = registry === undefined ? [] : yield* registry.versions(workflow, prompt)
      const active = registry && (yield* registry.states(workflow))[prompt]?.active
      const rows = versions.toReversed()
      if (flags.json) print(JSON.stringify({ active: active ?? "file", versions: rows }, null, 2))
      else if (rows.length === 0)
        say(stderr.style.dim(`no versions: the text is that of ${file.path}`))
      else {
        print(
          table(
            [
              { head: "version", align: "right", paint: stdout.style.name },
              { head: "active", align: "left" },
              { head: "made", align: "left" },
              { head: "by", align: "left" },
              { head: "why", align: "left" },
            ],
            rows.map(({ at, by = "", number, why = "" }) => [
              String(number),
              number === active ? "yes" : "",
              timeText(at),
              oneLine(by),
              oneLine(why),
            ]),
            textWidth(stdout),
            stdout.style.dim,
          ).join("\n"),
        )
      }
      return "ok" as ExitName
    }),
  )
