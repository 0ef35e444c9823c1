/** What plugins check in files of their kinds, with the workflow around them or for one file alone. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { Json, Problem as PluginProblem } from "@planloom/plugin/effect"
import type { Definition } from "../../definition/Definition.ts"
import { locateProblem, type Problem } from "../../definition/Problem.ts"
import type { Resources } from "../../definition/Resources.ts"
import { formattedTexts } from "../../definition/schemaFit.ts"
import { knownAlone, knownFrom, type SearchableKnown } from "../../definition/scope/Known.ts"
import { unknownReferences } from "../../definition/scope/uses/unknownReferences.ts"
import type { Diagnostic } from "../../source/Diagnostic.ts"
import type { UsedFile } from "../usedFiles.ts"

/** Unknown references of every file, then what each kind's own check finds. */
export const checkUsedFiles = (
  used: ReadonlyArray<UsedFile>,
  definition: Definition,
  resources: Resources,
): Effect.Effect<ReadonlyArray<Diagnostic>> =>
  Effect.map(
    Effect.forEach(used, (file) =>
      diagnosticsOf(file, () => knownFrom(file.document.file.path, definition, resources)),
    ),
    (found) => found.flat(),
  )

/** For a file outside any workflow: what it names is taken to exist, but for files. */
export const checkUnusedFile = (file: UsedFile): Effect.Effect<ReadonlyArray<Diagnostic>> =>
  diagnosticsOf(file, () => knownAlone(file.document.file.path, file.kind, file.value as Json))

const diagnosticsOf = (file: UsedFile, known: () => SearchableKnown) =>
  Effect.map(problemsIn(file, known), (problems) =>
    problems.map((problem) => locateProblem(file.document, problem)),
  )

const problemsIn = (
  { kind, loaded, value: read }: UsedFile,
  knownOf: () => SearchableKnown,
): Effect.Effect<ReadonlyArray<Problem>> => {
  const { from } = loaded
  if (from === undefined) return Effect.succeed([])
  const value = read as Json
  return Effect.suspend(() => {
    const known = knownOf()
    const paths = formattedTexts(value, from.schema)
      .filter(({ format }) => format === "path")
      .map(({ path, text }) => ({ to: "file", id: text, at: path }))
    const unknown = unknownReferences([...paths, ...(from.refers?.(value) ?? [])], known, [])
    return Effect.map(from.check?.(value, known) ?? Effect.succeed([]), (own) => [
      ...unknown,
      ...own.map((problem) => toProblem(problem)),
    ])
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.succeed([
        {
          code: "PL4001",
          message: `the plugin's check of kind ${kind} failed: ${Cause.pretty(cause).split("\n", 1)[0]}`,
          path: ["kind"],
        },
      ]),
    ),
  )
}

/** `base` is where the value stands in its file. */
export const toProblem = (
  { at, code, fix, message }: PluginProblem,
  base: Problem["path"] = [],
): Problem => ({
  code,
  message,
  path: [...base, ...at],
  ...(fix === undefined ? {} : { help: fix }),
})
