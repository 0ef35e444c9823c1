/** Implements `planloom prompts list`: where the text of each prompt of a workflow comes from. */
import * as Effect from "effect/Effect"
import type { ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { timeText } from "../runs/listRuns.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { table } from "../terminal/table.ts"
import { oneLine } from "../terminal/text.ts"
import { hasChanged, withPrompts } from "./withPrompts.ts"

export interface ListPromptsFlags extends ReadingFlags {
  readonly workflow: string
  readonly json: boolean
}

export const listPrompts: Handler<ListPromptsFlags> = (flags) =>
  withPrompts(flags.workflow, flags, "reads", ({ files, registry, workflow }) =>
    Effect.gen(function* () {
      const states = registry === undefined ? {} : yield* registry.states(workflow)
      const rows: Array<PromptRow> = []
      for (const prompt of new Set([...files.keys(), ...Object.keys(states)])) {
        const file = files.get(prompt)
        const { active = "file", ...state } = states[prompt] ?? {}
        const version =
          active === "file" ? undefined : yield* registry!.version(workflow, prompt, active)
        rows.push({
          prompt,
          active,
          file: file?.path ?? null,
          ...(version === undefined || file === undefined
            ? {}
            : { file_changed: hasChanged(file, version) }),
          ...state,
        })
      }
      if (flags.json) print(JSON.stringify(rows, null, 2))
      else if (rows.length === 0) say(stderr.style.dim(`${workflow} has no prompts`))
      else print(rowsText(rows))
      return "ok" as ExitName
    }),
  )

interface PromptRow {
  readonly prompt: string
  readonly active: number | "file"
  /** Null for a prompt that the workflow does not declare any more. */
  readonly file: string | null
  /** Since the active version was made. */
  readonly file_changed?: boolean
  readonly latest?: number
  readonly at?: number
  readonly by?: string
}

const rowsText = (rows: ReadonlyArray<PromptRow>): string => {
  const { style } = stdout
  return table(
    [
      { head: "prompt", align: "left", paint: style.name },
      { head: "text", align: "left" },
      { head: "changed", align: "left" },
      { head: "by", align: "left" },
      { head: "file", align: "left" },
    ],
    rows.map(({ active, at, by, file, file_changed, latest, prompt }) => [
      oneLine(prompt),
      active === "file" ? "file" : `version ${active} of ${latest}`,
      at === undefined ? "" : timeText(at),
      oneLine(by ?? ""),
      file === null
        ? "not in the workflow"
        : `${oneLine(file)}${file_changed === true ? ` (changed since version ${active})` : ""}`,
    ]),
    textWidth(stdout),
    style.dim,
  ).join("\n")
}
