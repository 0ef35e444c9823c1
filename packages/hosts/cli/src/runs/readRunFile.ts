/** Reads the file of an exported run. */
import { readFile } from "node:fs/promises"
import type { JsonObject } from "@planloom/plugin/effect"
import type { RunFile } from "@planloom/record/export"
import { isObject } from "@planloom/schema"
import * as Effect from "effect/Effect"
import { problem, type Refused } from "../Refused.ts"

export const readRunFile = (path: string): Effect.Effect<RunFile, Refused> =>
  Effect.gen(function* () {
    const text = yield* Effect.tryPromise({
      try: () => readFile(path, "utf8"),
      catch: (error) => problem(`${path} cannot be read: ${(error as Error).message}`),
    })
    const { parseRunFile } = yield* Effect.promise(() => import("@planloom/record/export"))
    const found = parseRunFile(text)
    return typeof found === "string"
      ? yield* Effect.fail(
          problem(`${path} ${found}`, "export a run: planloom runs export <id> --out run.json"),
        )
      : { ...found, recorded: marked(found) }
  })

/** The definition says that it was imported, also after the run is recorded here: the file cannot say that it was not. */
const marked = ({ recorded, redacted }: RunFile): RunFile["recorded"] =>
  redacted || !isObject(recorded.definition)
    ? recorded
    : { ...recorded, definition: { ...(recorded.definition as JsonObject), imported: true } }
