/** Decodes the body of a changing request: a JSON object with known keys only. */
import * as Effect from "effect/Effect"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { formatIssues } from "@planloom/schema"
import type { ApiOptions, RouteRequest } from "./Api.ts"
import { readJsonBody } from "./readJsonBody.ts"
import { Problem } from "./Problem.ts"

export const DEFAULT_MAX_BODY_BYTES = 1024 * 1024

export const decodeBody = (
  { maxBody = DEFAULT_MAX_BODY_BYTES }: ApiOptions,
  { request }: RouteRequest,
  keys: ReadonlyArray<string>,
) =>
  Effect.flatMap(readJsonBody(request, maxBody), (body) => {
    const unknown = Object.keys(body).find((key) => !keys.includes(key))
    return unknown === undefined
      ? Effect.succeed(body)
      : Effect.fail(
          invalidInput([{ path: "", message: `has an unknown key "${unknown}"` }], keys.join(", ")),
        )
  })

export const invalidInput = (
  issues: ReadonlyArray<{ readonly path: string; readonly message: string }>,
  allowedKeys?: string,
) =>
  new Problem({
    code: "invalid_input",
    detail: `${formatIssues(issues)}${allowedKeys === undefined ? "" : `; allowed keys: ${allowedKeys}`}`,
    more: { issues: issues.map(({ message, path }): Json => ({ path, message })) },
  })

/** The text of an optional key. */
export const optionalText = (
  body: JsonObject,
  key: string,
): Effect.Effect<string | undefined, Problem> => {
  const value = body[key]
  return value === undefined || typeof value === "string"
    ? Effect.succeed(value)
    : Effect.fail(invalidInput([{ path: `/${key}`, message: "must be string" }]))
}
