/** Outputs of a run → files. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { JsonObject } from "@planloom/plugin"
import * as Effect from "effect/Effect"
import { Refused } from "../Refused.ts"
import { fileOf } from "./outputKinds.ts"

/**
 * Writes `<output>.<ending>` into the folder and gives the paths by output name. Without a folder
 * only charts and reports are written, to `.planloom/out/<workflow>`.
 */
export const writeOutputs = (
  workflow: string,
  outputs: JsonObject,
  folder: string | undefined,
): Effect.Effect<ReadonlyMap<string, string>, Refused> => {
  const files = Object.entries(outputs).flatMap(([name, value]) => {
    const file = fileOf(value, folder !== undefined)
    return file === undefined ? [] : [{ name, ...file }]
  })
  const into = folder ?? join(".planloom", "out", workflow)
  return Effect.tryPromise({
    try: async () => {
      if (files.length > 0) await mkdir(into, { recursive: true })
      const written = new Map<string, string>()
      for (const { ending, name, text } of files) {
        const path = join(into, `${name}.${ending}`)
        await writeFile(path, text)
        written.set(name, path)
      }
      return written
    },
    catch: (error) =>
      new Refused({
        exit: "failed",
        message: `the outputs cannot be written to ${into}: ${(error as Error).message}`,
        help: "name another folder with --out",
      }),
  })
}
