/** Opens the prompts of a workflow for a command: their files, and their versions in the store. */
import { hash } from "node:crypto"
import { dirname } from "node:path"
import type { StoreFailed } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { PromptRefused, PromptRegistry, PromptVersion } from "@planloom/record/prompts"
import type { ReadingFlags } from "../commands/options.ts"
import type { ExitName } from "../ExitCode.ts"
import { findWorkflow } from "../project/findWorkflow.ts"
import { loadOptions } from "../project/loadOptions.ts"
import { suggestion } from "../project/nearest.ts"
import { printProblems, quietConsole } from "../project/withWorkflow.ts"
import { problem, type Refused } from "../Refused.ts"
import { keptFor, type Access } from "../run/keptFor.ts"
import { promptsOf } from "../run/recording.ts"

export interface PromptFile {
  readonly name: string
  readonly path: string
  readonly text: string
}

export interface WorkflowPrompts {
  /** Name of the workflow. */
  readonly workflow: string
  /** Path of its file. */
  readonly path: string
  /** In declared order. */
  readonly files: ReadonlyMap<string, PromptFile>
  /** Undefined where nothing is recorded yet. */
  readonly registry: PromptRegistry | undefined
}

type Use = (
  prompts: WorkflowPrompts,
) => Effect.Effect<ExitName, Refused | StoreFailed | PromptRefused, Scope>

export const withPrompts = (
  given: string,
  flags: ReadingFlags,
  access: Access,
  use: Use,
): Effect.Effect<ExitName, Refused> =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* quietConsole
      const path = yield* findWorkflow(given)
      const options = yield* loadOptions(flags)
      const { check } = yield* Effect.promise(() => import("@planloom/embed"))
      const checked = yield* check(path, options)
      if (checked.workflow === undefined) return yield* printProblems(checked)
      const { definition, resources } = checked.workflow
      const folder = dirname(path)
      const registry = yield* keptFor(folder, access, promptsOf, "versions of prompts")
      return yield* use({ workflow: definition.name, path, files: resources.prompts, registry })
    }),
  ).pipe(
    Effect.catchTag("StoreFailed", ({ message }) => Effect.fail(problem(message))),
    Effect.catchTag("PromptRefused", ({ message }) => Effect.fail(problem(message))),
  )

export const fileOf = (
  { files, workflow }: WorkflowPrompts,
  prompt: string,
): Effect.Effect<PromptFile, Refused> => {
  const file = files.get(prompt)
  const names = [...files.keys()]
  return file === undefined
    ? Effect.fail(
        problem(
          `${workflow} has no prompt "${prompt}"`,
          suggestion(prompt, names) ?? (names.join(", ") || "name its prompts under `prompts:`"),
        ),
      )
    : Effect.succeed(file)
}

/** Reads a version of the command line. */
export const parseVersion = (given: string): Effect.Effect<number | "file" | "active", Refused> =>
  given === "file" || given === "active"
    ? Effect.succeed(given)
    : /^[1-9]\d{0,7}$/.test(given)
      ? Effect.succeed(Number(given))
      : Effect.fail(
          problem(`"${given}" is no version`, "a number, or file for the text of the file"),
        )

/** The text of a version, of the file, or of what is active. */
export const textOf = (
  prompts: WorkflowPrompts,
  prompt: string,
  wanted: number | "file" | "active",
): Effect.Effect<{ readonly name: string; readonly text: string }, Refused | StoreFailed> =>
  Effect.gen(function* () {
    const { registry, workflow } = prompts
    const file = yield* fileOf(prompts, prompt)
    const states = registry === undefined ? {} : yield* registry.states(workflow)
    const number = wanted === "active" ? (states[prompt]?.active ?? "file") : wanted
    if (number === "file") return { name: file.path, text: file.text }
    const version = yield* registry?.version(workflow, prompt, number) ?? Effect.undefined
    if (version === undefined) {
      return yield* problem(
        `the prompt "${prompt}" of ${workflow} has no version ${number}`,
        `planloom prompts history ${workflow} ${prompt}`,
      )
    }
    return { name: `version ${number}`, text: version.text }
  })

export const digestOf = (text: string): string => hash("sha256", text)

/** Whether the file has another text than when the version was made. */
export const hasChanged = ({ text }: PromptFile, { file }: PromptVersion): boolean =>
  digestOf(text) !== file
