/** Loads the workflows that clients may start over HTTP: those of the command line, or all of the project. */
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { report } from "@planloom/language"
import type { Checked } from "@planloom/embed"
import type { ReadingFlags } from "../commands/options.ts"
import { findWorkflow } from "../project/findWorkflow.ts"
import { isAboutWorkflow, isFolder, workflowFiles, yamlIn } from "../project/projectFiles.ts"
import { problem, type Refused } from "../Refused.ts"
import { stderr, say, textWidth } from "../terminal/Screen.ts"
import { Versions, type Version } from "./Versions.ts"

export interface ServedWorkflows {
  /** The versions that new runs use, by name. */
  readonly workflows: Map<string, Version>
  /** In the order in which they were found. */
  readonly files: ReadonlyArray<ServedFile>
  readonly versions: Versions
  /** The project's `keep` policy for runs. */
  readonly keep: Version["keep"]
}

/** A workflow file and what it was last read as. */
export interface ServedFile {
  readonly path: string
  /** The version that new runs use; undefined if the file has had problems since the start. */
  version: Version | undefined
  /** Of the last reading, also if it had problems. */
  sources: Checked["sources"]
  /** What was last printed of its problems; undefined if the last reading had none. */
  problems: string | undefined
}

/** Refuses a named workflow with problems; skips one of the project with a warning. */
export const servedWorkflows = (
  paths: ReadonlyArray<string>,
  flags: ReadingFlags,
): Effect.Effect<ServedWorkflows, Refused, Scope.Scope> =>
  Effect.gen(function* () {
    // A scope of its own: also versions that are loaded later outlive the runs that use them.
    const versions = new Versions(yield* Effect.acquireRelease(Scope.make(), Scope.close), flags)
    const workflows = new Map<string, Version>()
    const files: Array<ServedFile> = []
    for (const path of yield* filesOf(paths)) {
      const file: ServedFile = { path, version: undefined, sources: new Map(), problems: undefined }
      files.push(file)
      const version = yield* Effect.catchTag(versions.load(path), "WorkflowInvalid", (invalid) =>
        Effect.sync(() => {
          file.sources = invalid.sources
          file.problems = problemsText(invalid)
          say(file.problems)
          return undefined
        }),
      )
      if (version === undefined) {
        if (paths.length > 0) return yield* problem(`${path} has problems and cannot be served`)
        say(stderr.style.warn(`${path} has problems and is skipped`))
        continue
      }
      const { name } = version.pipeline
      const other = files.find((one) => one.version?.pipeline.name === name)
      if (other !== undefined) return yield* problem(sameName(other.path, path, name))
      file.version = version
      file.sources = version.sources
      workflows.set(name, version)
    }
    const keep = files.find(({ version }) => version?.keep !== undefined)?.version?.keep
    return { workflows, files, versions, keep }
  })

export const sameName = (one: string, other: string, name: string): string =>
  `${one} and ${other} have the same name "${name}"`

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

export const problemsText = ({
  diagnostics,
  sources,
}: Pick<Checked, "diagnostics" | "sources">): string =>
  report(diagnostics, { color: stderr.style.color, width: textWidth(stderr), sources })
