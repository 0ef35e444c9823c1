/** What a request to change something was given: a JSON object of known keys. */
import * as Effect from "effect/Effect"
import type { Json, JsonObject } from "@planloom/plugin"
import { listed } from "@planloom/core/internal"
import type { ApiOptions, Asked } from "./Api.ts"
import { jsonBody } from "./body.ts"
import { Problem } from "./Problem.ts"

const MIB = 1024 * 1024

export const bodyOf = (
  { maxBody = MIB }: ApiOptions,
  { request }: Asked,
  keys: ReadonlyArray<string>,
) =>
  Effect.flatMap(jsonBody(request, maxBody), (body) => {
    const unknown = Object.keys(body).find((key) => !keys.includes(key))
    return unknown === undefined
      ? Effect.succeed(body)
      : Effect.fail(
          misfit([{ path: "", message: `has an unknown key "${unknown}"` }], keys.join(", ")),
        )
  })

export const misfit = (
  issues: ReadonlyArray<{ readonly path: string; readonly message: string }>,
  known?: string,
) =>
  new Problem({
    code: "misfit",
    detail: `${listed(issues)}${known === undefined ? "" : `; it may have: ${known}`}`,
    more: { issues: issues.map(({ message, path }): Json => ({ path, message })) },
  })

export const textAt = (
  body: JsonObject,
  key: string,
): Effect.Effect<string | undefined, Problem> => {
  const value = body[key]
  return value === undefined || typeof value === "string"
    ? Effect.succeed(value)
    : Effect.fail(misfit([{ path: `/${key}`, message: "must be string" }]))
}
