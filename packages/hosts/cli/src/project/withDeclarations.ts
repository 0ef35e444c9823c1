/** Declarations of the project, of a workflow or of a file of a plugin's kind, for commands about them. */
import { readFile } from "node:fs/promises"
import type { Declared } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { ReadingFlags } from "../commands/options.ts"
import type { ExitName } from "../ExitCode.ts"
import { problem, type Refused } from "../Refused.ts"
import { doing } from "../terminal/activity.ts"
import { say } from "../terminal/Screen.ts"
import { findWorkflow } from "./findWorkflow.ts"
import { loadOptions } from "./loadOptions.ts"
import { pluginOptions } from "./pluginOptions.ts"
import { workflowFiles } from "./projectFiles.ts"
import { printProblems, quietConsole, type Problems } from "./withWorkflow.ts"

/** The declarations in words, and their place. */
export interface DeclaringPlugin {
  /** `servers`. */
  readonly what: string
  readonly plugin: string
  /** Plugins whose components its declarations may name. */
  readonly others?: ReadonlyArray<string>
  readonly fileKind: string
}

export interface Declaration {
  /** Of the workflow that declares; one that stands for a file or the project is no file. */
  readonly path: string
  readonly declared: Declared
  /** The text of a workflow that is no file, by its path. */
  readonly texts: ReadonlyMap<string, string> | undefined
  /** Secrets that the workflow declares; undefined for a file or the project, which declares none. */
  readonly secrets: ReadonlyArray<string> | undefined
}

/** Without `from` it is what the whole project declares; workflows with errors are then left out and named, and passed on. */
export const withDeclarations = (
  from: string | undefined,
  by: DeclaringPlugin,
  use: (
    found: ReadonlyArray<Declaration>,
    leftOut: ReadonlyArray<string>,
  ) => Effect.Effect<ExitName, Refused, Scope>,
  flags?: ReadingFlags,
): Effect.Effect<ExitName, Refused> =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* quietConsole
      const { check } = yield* Effect.promise(() => import("@planloom/embed"))
      const options = yield* pluginOptions
      const given = flags === undefined ? options : yield* loadOptions(flags)
      const found: Array<Declaration> = []
      const leftOut: Array<string> = []
      let ofProject: Problems | undefined
      for (const { path, text } of yield* readersOf(from, by)) {
        const texts = text === undefined ? undefined : new Map([[path, text]])
        doing(text === undefined ? `loading ${path}` : `loading the ${by.what} of the project`)
        // Settings are of workflows that have them.
        const checked = yield* check(path, texts === undefined ? given : { ...options, texts })
        if (checked.workflow === undefined) {
          if (from !== undefined) return yield* printProblems(checked)
          if (texts !== undefined) {
            ofProject = checked
            continue
          }
          leftOut.push(path)
          say(`${path} has errors, so ${by.what} of its own are left out: planloom check ${path}`)
          continue
        }
        const { declared } = checked.workflow.resources
        if (declared === undefined) continue
        const { secrets } = checked.workflow.definition
        found.push({ path, declared, texts, secrets: texts === undefined ? secrets : undefined })
      }
      // What the project declares may need plugins that its workflows name: then they show it.
      if (found.length === 0 && ofProject !== undefined) return yield* printProblems(ofProject)
      return yield* use(found, leftOut)
    }),
  )

/** A workflow to read declarations from; `text` stands for one that only uses those of a file, or of the project. */
interface Reader {
  readonly path: string
  readonly text?: string
}

const readersOf = (
  from: string | undefined,
  by: DeclaringPlugin,
): Effect.Effect<ReadonlyArray<Reader>, Refused> =>
  Effect.gen(function* () {
    if (from === undefined) {
      const paths = yield* Effect.promise(workflowFiles)
      return [readerOf(by, []), ...paths.map((path) => ({ path }))]
    }
    const path = yield* findWorkflow(from)
    const text = yield* Effect.tryPromise({
      try: () => readFile(path, "utf8"),
      catch: (error) => problem(`${path} cannot be read: ${(error as Error).message}`),
    })
    const isFile = new RegExp(`^kind:\\s*["']?${by.fileKind}\\b`, "m").test(text)
    return [isFile ? readerOf(by, [path]) : { path }]
  })

const readerOf = (
  { others = [], plugin, what }: DeclaringPlugin,
  files: ReadonlyArray<string>,
): Reader => ({
  path: `${what}.workflow.yaml`,
  text: `apiVersion: planloom/v1
kind: Workflow
name: ${what}
use: { plugins: ${JSON.stringify(["@planloom/stages", plugin, ...others])}, files: ${JSON.stringify(files)} }
stages: [{ id: nothing, uses: set, with: { value: 1 } }]
`,
})
