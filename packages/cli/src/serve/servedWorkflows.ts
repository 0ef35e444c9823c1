/** Loads the workflows that clients may start over HTTP: those of the command line, or all of the project. */
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { ServedWorkflow } from "@planloom/server"
import type { Ready } from "@planloom/record/worker"
import { report } from "@planloom/language"
import type { Checked } from "@planloom/embed"
import type { LoadedWorkflow } from "@planloom/core"
import type { ReadingFlags } from "../commands/options.ts"
import { findWorkflow } from "../project/findWorkflow.ts"
import { openWorkflow } from "../project/openWorkflow.ts"
import { isAboutWorkflow, isFolder, workflowFiles, yamlIn } from "../project/projectFiles.ts"
import { problem, type Refused } from "../Refused.ts"
import { checkPrompt } from "../prompts/checkPrompt.ts"
import { definitionOf } from "../run/recording.ts"
import { telemetryOf } from "../run/telemetry.ts"
import { say, stderr, textWidth } from "../terminal/Screen.ts"

export interface ServedWorkflows {
  /** Workflows by name. */
  readonly workflows: ReadonlyMap<string, ServedWorkflow & Ready>
  /** The project's `keep` policy for runs. */
  readonly keep: LoadedWorkflow["keep"]
}

/** Refuses a named workflow with problems; skips one of the project with a warning. */
export const servedWorkflows = (
  paths: ReadonlyArray<string>,
  flags: ReadingFlags,
): Effect.Effect<ServedWorkflows, Refused, Scope> =>
  Effect.gen(function* () {
    const found = new Map<string, ServedWorkflow & Ready>()
    const files = new Map<string, string>()
    let keep: ServedWorkflows["keep"]
    for (const path of yield* filesOf(paths)) {
      const loaded = yield* Effect.catchTag(
        openWorkflow(path, flags),
        "WorkflowInvalid",
        (invalid) =>
          Effect.sync(() => {
            printProblems(invalid)
            return undefined
          }),
      )
      if (loaded === undefined) {
        if (paths.length > 0) return yield* problem(`${path} has problems and cannot be served`)
        say(stderr.style.warn(`${path} has problems and is skipped`))
        continue
      }
      const { name } = loaded.pipeline
      const other = files.get(name)
      if (other !== undefined) {
        return yield* problem(`${other} and ${path} have the same name "${name}"`)
      }
      files.set(name, path)
      keep ??= loaded.keep
      found.set(name, {
        pipeline: loaded.pipeline,
        secrets: loaded.secrets,
        ...(yield* telemetryOf(loaded)),
        definition: definitionOf(flags, loaded),
        ...servedPrompts(path, flags, loaded),
      })
    }
    return { workflows: found, keep }
  })

/** An artefact cannot be checked with another text. */
const servedPrompts = (
  path: string,
  flags: ReadingFlags,
  { resources }: LoadedWorkflow,
): Pick<ServedWorkflow, "prompts"> => {
  if (path.endsWith(".json")) return {}
  const files = resources.prompts
  return {
    prompts: {
      files: new Map([...files].map(([name, { text }]) => [name, text])),
      check: (prompt, text) => {
        const file = files.get(prompt)!.path
        return Effect.matchEffect(checkPrompt(path, flags, { prompt, file, text }), {
          onSuccess: ({ issues }) => Effect.succeed(issues),
          onFailure: ({ message }) => Effect.succeed([{ file, line: 1, col: 1, message }]),
        })
      },
    },
  }
}

const filesOf = (paths: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>, Refused> =>
  paths.length === 0
    ? Effect.promise(workflowFiles)
    : Effect.map(
        Effect.forEach(paths, (path) =>
          Effect.flatMap(
            Effect.promise(() => isFolder(path)),
            (folder) =>
              folder
                ? Effect.promise(async () =>
                    (await yamlIn(path)).filter((file) => !isAboutWorkflow(file)),
                  )
                : Effect.map(findWorkflow(path), (file) => [file]),
          ),
        ),
        (found) => [...new Set(found.flat())],
      )

const printProblems = ({ diagnostics, sources }: Pick<Checked, "diagnostics" | "sources">): void =>
  say(report(diagnostics, { color: stderr.style.color, width: textWidth(stderr), sources }))
