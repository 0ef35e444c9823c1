/** Writes the outputs of a run to files. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { JsonObject } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { unwritten, type Refused } from "../Refused.ts"
import { fileOf } from "./outputFile.ts"

/** Contains one folder per run, which is removed when the run is pruned. */
export const OUTPUTS = ".planloom/out"

/**
 * Writes `<output>.<extension>` to the folder and returns the paths by output name. Without a folder,
 * only charts and reports are written, to the run's own folder.
 */
export const writeOutputs = (
  run: string,
  outputs: JsonObject,
  folder: string | undefined,
): Effect.Effect<ReadonlyMap<string, string>, Refused> => {
  const files = Object.entries(outputs).flatMap(([name, value]) => {
    const file = fileOf(value, folder !== undefined)
    return file === undefined ? [] : [{ name, ...file }]
  })
  return Effect.tryPromise({
    try: async () => {
      const written = new Map<string, string>()
      if (files.length === 0) return written
      const into = folder ?? (await import("@planloom/core/internal")).runFolder(OUTPUTS, run)
      await mkdir(into, { recursive: true })
      for (const { ending, name, text } of files) {
        const path = join(into, `${name}.${ending}`)
        await writeFile(path, text)
        written.set(name, path)
      }
      return written
    },
    catch: (error) =>
      unwritten(
        `the outputs cannot be written${folder === undefined ? "" : ` to ${folder}`}`,
        error,
        "choose another folder with --out",
      ),
  })
}
