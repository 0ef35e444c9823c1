/** Reads a request's body as a JSON object within a size limit. */
import * as Effect from "effect/Effect"
import { isJsonObject, type Json, type JsonObject } from "@planloom/plugin/effect"
import { isTooDeep, TOO_DEEP } from "@planloom/schema"
import { findJsonError } from "./findJsonError.ts"
import { Problem } from "./Problem.ts"

/** An empty body is an empty object. The content type is required because an HTML form cannot send it (CSRF). */
export const readJsonBody = (
  request: Request,
  maxBytes: number,
): Effect.Effect<JsonObject, Problem> => {
  const type = request.headers.get("content-type") ?? ""
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    return Effect.fail(
      new Problem({
        code: "unsupported_media_type",
        detail: `the body needs "content-type: application/json"${type === "" ? "" : `, not "${type}"`}`,
      }),
    )
  }
  return Effect.flatMap(readText(request, maxBytes), (text) => {
    if (text.trim() === "") return Effect.succeed({})
    let value: Json
    try {
      value = JSON.parse(text) as Json
    } catch {
      const { col, line, offset } = findJsonError(text)
      return Effect.fail(
        new Problem({
          code: "invalid_json",
          detail: `the body is not valid JSON at line ${line}, column ${col}`,
          more: { line, col, offset },
        }),
      )
    }
    const refused = refusedBody(value)
    return refused === undefined ? Effect.succeed(value as JsonObject) : Effect.fail(refused)
  })
}

const refusedBody = (value: Json): Problem | undefined => {
  if (isTooDeep(value)) return tooDeepBody
  return isJsonObject(value)
    ? undefined
    : new Problem({ code: "invalid_input", detail: "the body must be a JSON object" })
}

/** Of JSON that code behind this border could not walk. */
export const tooDeepBody = new Problem({ code: "invalid_input", detail: `the body ${TOO_DEEP}` })

/** The body as text, within the limit. */
export const readText = (request: Request, maxBytes: number): Effect.Effect<string, Problem> => {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return tooLarge(maxBytes)
  return Effect.flatMap(
    Effect.tryPromise({
      try: async () => {
        const decoder = new TextDecoder("utf-8", { fatal: true })
        let text = ""
        let size = 0
        for await (const part of request.body ?? []) {
          size += part.byteLength
          if (size > maxBytes) return undefined
          text += decoder.decode(part, { stream: true })
        }
        return text + decoder.decode()
      },
      catch: () => new Problem({ code: "malformed_request", detail: "the body is not UTF-8 text" }),
    }),
    (text) => (text === undefined ? tooLarge(maxBytes) : Effect.succeed(text)),
  )
}

const tooLarge = (maxBytes: number) =>
  Effect.fail(
    new Problem({
      code: "too_large",
      detail: `the body may have at most ${maxBytes} bytes`,
      more: { max_bytes: maxBytes },
    }),
  )
