/** Implements `planloom prompts edit`: adds a version of a prompt that passes the checks, and makes it active. */
import { spawnSync } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import * as Effect from "effect/Effect"
import { viaShell } from "../audit/viaShell.ts"
import type { ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { readText } from "../project/readText.ts"
import { printProblems } from "../project/withWorkflow.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import { quiet } from "../terminal/activity.ts"
import { print, say } from "../terminal/Screen.ts"
import { checkPrompt } from "./checkPrompt.ts"
import { digestOf, fileOf, textOf, withPrompts } from "./withPrompts.ts"

export interface EditPromptFlags extends ReadingFlags {
  readonly workflow: string
  readonly prompt: string
  readonly from: string | undefined
  readonly by: string | undefined
  readonly why: string | undefined
  readonly json: boolean
}

export const editPrompt: Handler<EditPromptFlags> = (flags) =>
  withPrompts(flags.workflow, flags, "writes", (prompts) =>
    Effect.gen(function* () {
      const { from, prompt } = flags
      const { path, workflow } = prompts
      const registry = prompts.registry!
      const file = yield* fileOf(prompts, prompt)
      // What is changed while the editor is open is not overwritten.
      const { revision = 0 } = (yield* registry.states(workflow))[prompt] ?? {}
      const before = yield* textOf(prompts, prompt, "active")
      const text = yield* from === undefined ? inEditor(file.path, before.text) : readText(from)
      if (text === before.text) {
        say(`nothing changed: the text is that of ${before.name}`)
        return "ok" as ExitName
      }
      const candidate = { prompt, file: file.path, text }
      const { diagnostics, issues, sources } = yield* checkPrompt(path, flags, candidate)
      if (issues.length > 0) {
        if (from === undefined) yield* keep(text)
        if (issues.every(({ code }) => code !== undefined)) {
          return yield* printProblems({ diagnostics, sources })
        }
        const lines = issues.map(
          ({ col, file: at, line, message }) => `${at}:${line}:${col} ${message}`,
        )
        return yield* problem(lines.join("\n"), "no version was added")
      }
      const state = yield* registry.edit(
        workflow,
        prompt,
        { text, file: digestOf(file.text) },
        { ...changeOf(flags), revision },
      )
      if (flags.json) print(JSON.stringify({ prompt, ...state }))
      else say(`version ${state.active} of ${prompt} is active`)
      return "ok" as ExitName
    }),
  )

export const changeOf = ({ by, why }: Pick<EditPromptFlags, "by" | "why">) => ({
  by: by ?? process.env["USER"] ?? "person",
  via: viaShell(),
  ...(why === undefined ? {} : { why }),
})

/** Returns the text as the person has saved it. */
const inEditor = (path: string, text: string): Effect.Effect<string, Refused> =>
  Effect.gen(function* () {
    const editor = process.env["VISUAL"] || process.env["EDITOR"]
    if (process.stdin.isTTY !== true || editor === undefined || editor === "") {
      const reason = process.stdin.isTTY === true ? "EDITOR is not set" : "there is no terminal"
      return yield* usage(`no editor can be opened: ${reason}`, "--from FILE; - is standard input")
    }
    return yield* Effect.tryPromise({
      try: async () => {
        const folder = await mkdtemp(join(tmpdir(), "planloom-prompt-"))
        const draft = join(folder, basename(path))
        await writeFile(draft, text)
        quiet()
        const { error, status } = spawnSync(`${editor} "${draft}"`, {
          shell: true,
          stdio: "inherit",
        })
        if (error !== undefined || status !== 0)
          throw error ?? new Error(`it exited with ${status}`)
        const edited = await readFile(draft, "utf8")
        await rm(folder, { recursive: true })
        return edited
      },
      catch: (error) => problem(`the editor "${editor}" failed: ${(error as Error).message}`),
    })
  })

/** A rejected text is not lost. */
const keep = (text: string): Effect.Effect<void> =>
  Effect.promise(async () => {
    const draft = join(await mkdtemp(join(tmpdir(), "planloom-prompt-")), "draft.md")
    await writeFile(draft, text)
    say(`your text is in ${draft}`)
  })
