/** Reads the user of `--user`, and refuses one that does not fit the workflow or that the run is not of. */
import { readFile } from "node:fs/promises"
import { userDigest, type Json, type JsonObject, type RunRecord } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { LoadedWorkflow } from "@planloom/core"
import type { UserFlags } from "../commands/options.ts"
import { usage, type Refused } from "../Refused.ts"

/** `record` is the run to resume. Undefined without a user. */
export const readUser = (
  { pipeline }: Pick<LoadedWorkflow, "pipeline">,
  { userText: text }: UserFlags,
  record?: Pick<RunRecord, "run" | "userDigest">,
): Effect.Effect<JsonObject | undefined, Refused> =>
  Effect.gen(function* () {
    if (text === undefined && pipeline.user === undefined) return undefined
    const given = text === undefined ? undefined : yield* parseUser(text)
    const { InputsRejected } = yield* Effect.promise(() => import("@planloom/core"))
    const core = yield* Effect.promise(() => import("@planloom/core/internal"))
    const user = core.userOf(pipeline, given)
    if (user instanceof InputsRejected) {
      return yield* usage(user.message, pipeline.user === undefined ? "omit --user" : example)
    }
    if (record?.userDigest !== undefined && record.userDigest !== userDigest(given)) {
      return yield* usage(
        `the run ${record.run} is of another user`,
        "pass the user that it was started for",
      )
    }
    return given
  })

const example = `--user '{ "id": "u_17" }', or --user @user.json`

/** The text of `--user`: JSON, or `@` and the path of a file. */
export const parseUser = (text: string): Effect.Effect<JsonObject, Refused> =>
  Effect.gen(function* () {
    const path = text.startsWith("@") ? text.slice(1) : undefined
    const json = path === undefined ? text : yield* textOf(path)
    const refused = (why: string) =>
      usage(`--user: ${path ?? "the value"} is not a JSON object${why}`, example)
    const value = yield* Effect.try({
      try: () => JSON.parse(json) as Json,
      catch: (error) => refused(`: ${(error as Error).message}`),
    })
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return yield* refused("")
    }
    return value as JsonObject
  })

const textOf = (path: string): Effect.Effect<string, Refused> =>
  Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: (error) => {
      const { code } = error as NodeJS.ErrnoException
      return usage(`--user: ${path} cannot be read: ${code === "ENOENT" ? "file not found" : code}`)
    },
  })
