/** A request's body → a JSON object; whatever else it holds is refused. */
import * as Effect from "effect/Effect"
import type { Json, JsonObject } from "@planloom/plugin"
import { jsonFault } from "./jsonFault.ts"
import { Problem } from "./Problem.ts"

/** An empty body is an empty object. A form of some web page cannot say that it sends JSON. */
export const jsonBody = (request: Request, most: number): Effect.Effect<JsonObject, Problem> => {
  const type = request.headers.get("content-type") ?? ""
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    return Effect.fail(
      new Problem({
        code: "wants_json",
        detail: `the body must say "content-type: application/json"${type === "" ? "" : `, not "${type}"`}`,
      }),
    )
  }
  return Effect.flatMap(textOf(request, most), (text) => {
    if (text.trim() === "") return Effect.succeed({})
    let value: Json
    try {
      value = JSON.parse(text) as Json
    } catch {
      const { col, line, offset } = jsonFault(text)
      return Effect.fail(
        new Problem({
          code: "not_json",
          detail: `the body is no JSON at line ${line}, column ${col}`,
          more: { line, col, offset },
        }),
      )
    }
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? Effect.succeed(value as JsonObject)
      : Effect.fail(new Problem({ code: "misfit", detail: "the body must be a JSON object" }))
  })
}

const textOf = (request: Request, most: number): Effect.Effect<string, Problem> => {
  const tooLarge = Effect.fail(
    new Problem({ code: "too_large", detail: `a body may have ${most} bytes`, more: { most } }),
  )
  if (Number(request.headers.get("content-length") ?? 0) > most) return tooLarge
  return Effect.flatMap(
    Effect.tryPromise({
      try: async () => {
        const decoder = new TextDecoder("utf-8", { fatal: true })
        let text = ""
        let size = 0
        for await (const part of request.body ?? []) {
          size += part.byteLength
          if (size > most) return undefined
          text += decoder.decode(part, { stream: true })
        }
        return text + decoder.decode()
      },
      catch: () => new Problem({ code: "malformed", detail: "the body is no UTF-8 text" }),
    }),
    (text) => (text === undefined ? tooLarge : Effect.succeed(text)),
  )
}
