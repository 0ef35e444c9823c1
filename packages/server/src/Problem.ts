/** Why a request is not done, as `application/problem+json` (RFC 9457). */
import * as Data from "effect/Data"
import type { AnswerRefused, JsonObject, StoreFailed } from "@planloom/plugin"

/** What can be wrong with a request, and the status each has. Clients may rely on these. */
export const problems = {
  not_json: { status: 400, title: "The body is no JSON" },
  malformed: { status: 400, title: "The request cannot be read" },
  unauthorized: { status: 401, title: "A token is needed" },
  other_host: { status: 403, title: "The request is for another host" },
  no_such_place: { status: 404, title: "There is nothing here" },
  unknown: { status: 404, title: "There is no such thing" },
  no_such_method: { status: 405, title: "This cannot be done here" },
  answered: { status: 409, title: "The question has been answered" },
  conflict: { status: 409, title: "The run is in another state" },
  session_waits: { status: 409, title: "The session waits for an answer" },
  expired: { status: 410, title: "The question has expired" },
  too_large: { status: 413, title: "The body is too large" },
  wants_json: { status: 415, title: "The body must be application/json" },
  misfit: { status: 422, title: "What was given does not fit" },
  internal: { status: 500, title: "A fault of the server" },
  backlog_full: { status: 503, title: "Too many runs are waiting" },
  unavailable: { status: 503, title: "The server cannot do this now" },
} as const

/** `detail` is one sentence for a person, `more` what programs need beside it. */
export class Problem extends Data.TaggedError("Problem")<{
  readonly code: keyof typeof problems
  readonly detail: string
  readonly more?: JsonObject
  readonly headers?: { readonly [name: string]: string }
}> {}

export const problemResponse = ({ code, detail, headers, more }: Problem): Response => {
  const { status, title } = problems[code]
  return new Response(
    JSON.stringify({ type: `urn:planloom:problem:${code}`, title, status, detail, ...more }),
    { status, headers: { "content-type": "application/problem+json", ...headers } },
  )
}

export const ofStore = ({ message, reason }: StoreFailed): Problem => {
  switch (reason) {
    case "missing":
      return new Problem({ code: "unknown", detail: message })
    case "busy":
    case "exists":
    case "fenced":
      return new Problem({ code: "conflict", detail: message })
    default:
      return new Problem({ code: "unavailable", detail: message, more: { reason } })
  }
}

export const ofRefusal = ({ message, reason }: AnswerRefused, more?: JsonObject): Problem =>
  new Problem({
    code: reason === "ended" ? "conflict" : reason,
    detail: message,
    ...(more === undefined ? {} : { more }),
  })
