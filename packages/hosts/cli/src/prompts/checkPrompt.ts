/** Checks a text in place of a prompt file: as `planloom check` does, and against the modes and secrets of the workflow. */
import * as Effect from "effect/Effect"
import type { Checked } from "@planloom/embed"
import type { LoadedWorkflow } from "@planloom/core"
import type { PromptIssue } from "@planloom/server"
import type { ReadingFlags } from "../commands/options.ts"
import { loadOptions } from "../project/loadOptions.ts"
import type { Refused } from "../Refused.ts"

export interface PromptCandidate {
  readonly prompt: string
  /** Path of its file. */
  readonly file: string
  readonly text: string
}

export interface CheckedPrompt extends Pick<Checked, "diagnostics" | "sources"> {
  /** Empty for a text that may become a version. */
  readonly issues: ReadonlyArray<PromptIssue>
}

/** `path` is that of the workflow. */
export const checkPrompt = (
  path: string,
  flags: ReadingFlags,
  { file, prompt, text }: PromptCandidate,
): Effect.Effect<CheckedPrompt, Refused> =>
  Effect.scoped(
    Effect.gen(function* () {
      const options = yield* loadOptions(flags)
      const { check } = yield* Effect.promise(() => import("@planloom/embed"))
      const texts = new Map([...(options.texts ?? []), [file, text]])
      const { diagnostics, sources, workflow } = yield* check(path, { ...options, texts })
      const issues = diagnostics
        .filter(({ severity }) => severity === "error")
        .map(({ code, file: at, message, start: { col, line } }) => ({
          file: at,
          line,
          col,
          code,
          message,
        }))
      if (workflow === undefined) return { diagnostics, sources, issues }
      const found = [
        ...(text.trim() === "" ? ["the text is empty: its stages would run without a prompt"] : []),
        ...(yield* tooLong(workflow, prompt, text)),
        ...(yield* secretIn(workflow, text)),
      ]
      return {
        diagnostics,
        sources,
        issues: [...issues, ...found.map((message) => ({ file, line: 1, col: 1, message }))],
      }
    }),
  )

/** The section of a mode that is the stage's own prompt. */
const TASK = "task"

const tooLong = ({ definition }: LoadedWorkflow, prompt: string, text: string) =>
  Effect.promise(async () => {
    const { estimateTokens } = await import("@planloom/prompt/tokens")
    const tokens = estimateTokens(text)
    return Object.entries(definition.modes).flatMap(
      ([mode, { max_tokens: limit, sections, truncate }]) =>
        limit !== undefined &&
        tokens > limit &&
        [prompt, TASK].some((name) => sections.includes(name) && !truncate.includes(name))
          ? [`the text has about ${tokens} tokens, and the mode "${mode}" allows ${limit}`]
          : [],
    )
  })

const secretIn = ({ secrets }: LoadedWorkflow, text: string) =>
  Effect.promise(async () => {
    const { scrubber } = await import("@planloom/core/internal")
    const isClean = (scrubber(secrets)?.(text) ?? text) === text
    return isClean ? [] : ["the text contains the value of a secret that the workflow declares"]
  })
