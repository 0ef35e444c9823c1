/** Reads the user of `--user`, and refuses one that does not fit the workflow or that the run is not of. */
import { userDigest, type JsonObject, type RunRecord } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { LoadedWorkflow } from "@planloom/core"
import type { UserFlags } from "../commands/options.ts"
import { usage, type Refused } from "../Refused.ts"
import { givenJson, givenText } from "./givenText.ts"

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
    const json = path === undefined ? text : yield* givenText(path, "--user")
    const value = yield* givenJson(json, path ?? "--user", example)
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as JsonObject
    }
    return yield* usage(`--user: ${path ?? "the value"} is not a JSON object`, example)
  })
