/** Request failures as `application/problem+json` replies (RFC 9457). */
import * as Data from "effect/Data"
import type { AnswerRefused, JsonObject, StoreFailed } from "@planloom/plugin/effect"

/** Problem codes with their status and title; part of the public API. */
export const problems = {
  invalid_json: { status: 400, title: "The body is not valid JSON" },
  malformed_request: { status: 400, title: "The request cannot be decoded" },
  unauthorized: { status: 401, title: "A valid token or key is required" },
  forbidden: { status: 403, title: "The caller may not do this" },
  user_required: { status: 403, title: "The workflow needs an authenticated user" },
  user_rejected: { status: 403, title: "The user does not fit the workflow" },
  unknown_host: { status: 403, title: "The server does not accept this host name" },
  unknown_origin: { status: 403, title: "The server does not accept this origin" },
  not_found: { status: 404, title: "No route matches this path" },
  unknown_resource: { status: 404, title: "The run, question or workflow does not exist" },
  method_not_allowed: { status: 405, title: "The route does not support this method" },
  answered: { status: 409, title: "The question was already answered" },
  conflict: { status: 409, title: "The state of the run does not allow this" },
  session_waits: { status: 409, title: "A run of the session waits for an answer" },
  expired: { status: 410, title: "The question has expired" },
  precondition_failed: { status: 412, title: "The prompt was changed meanwhile" },
  too_large: { status: 413, title: "The body is too large" },
  unsupported_media_type: { status: 415, title: "The body must be application/json" },
  invalid_input: { status: 422, title: "The input is invalid" },
  too_many_requests: { status: 429, title: "The client sends too many requests" },
  internal: { status: 500, title: "Internal server error" },
  backlog_full: { status: 503, title: "Too many runs are waiting" },
  unavailable: { status: 503, title: "The server cannot do this at the moment" },
} as const

/** A rejected request: `detail` is one sentence for people, `more` are members for programs. */
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

export const fromStoreFailure = ({ message, reason }: StoreFailed): Problem => {
  switch (reason) {
    case "missing":
      return new Problem({ code: "unknown_resource", detail: message })
    case "busy":
    case "exists":
    case "fenced":
      return new Problem({ code: "conflict", detail: message })
    default:
      return new Problem({ code: "unavailable", detail: message, more: { reason } })
  }
}

const answerProblems = {
  unknown: "unknown_resource",
  answered: "answered",
  expired: "expired",
  ended: "conflict",
  invalid: "invalid_input",
} as const satisfies Record<AnswerRefused["reason"], keyof typeof problems>

export const fromAnswerRefused = ({ message, reason }: AnswerRefused, more?: JsonObject): Problem =>
  new Problem({
    code: answerProblems[reason],
    detail: message,
    ...(more === undefined ? {} : { more }),
  })
