/** Files that a person names among the inputs of a command: the run may read them, also outside the project. */
import { realpath, stat } from "node:fs/promises"
import type { Json, JsonObject, JsonSchema } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { LoadedWorkflow } from "@planloom/core"
import type { ReadingFlags } from "../commands/options.ts"

/** The workflow with the files among its roots, and the flags with those that may be recorded. */
export const withNamedFiles = <Loaded extends LoadedWorkflow, Flags extends ReadingFlags>(
  loaded: Loaded,
  inputs: JsonObject,
  flags: Flags,
): Effect.Effect<{ readonly loaded: Loaded; readonly flags: Flags }> =>
  Effect.promise(async () => {
    const files = await filesIn(Object.values(inputs))
    if (files.length === 0) return { loaded, flags }
    const recorded = await filesIn(
      Object.entries(inputs).flatMap(([name, value]) =>
        isPersonal(loaded.definition.inputs[name]) ? [] : [value],
      ),
    )
    const { pipeline } = loaded
    return {
      loaded: { ...loaded, pipeline: { ...pipeline, roots: [...pipeline.roots, ...files] } },
      flags: { ...flags, files: recorded },
    }
  })

const isPersonal = (schema: JsonSchema | undefined): boolean =>
  typeof schema === "object" && schema["personal"] === true

/** Texts, and texts in lists, that are paths of files; a folder would open everything in it. */
const filesIn = async (values: ReadonlyArray<Json>): Promise<ReadonlyArray<string>> => {
  const paths = values.flat().filter((value) => typeof value === "string")
  const found = await Promise.all(paths.map(fileAt))
  return [...new Set(found.flatMap((file) => file ?? []))]
}

/** Its path without links; undefined unless the text names a regular file. */
const fileAt = async (path: string): Promise<string | undefined> => {
  if (path === "" || path.includes("\0")) return undefined
  const real = await realpath(path).catch(() => undefined)
  return real !== undefined && (await stat(real)).isFile() ? real : undefined
}
