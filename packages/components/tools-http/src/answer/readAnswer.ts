/** A response as the value of a call: JSON or text by its content type, or a failure by its status. */
import { messageInBody, parseRetryAfter } from "@planloom/provider-kit"
import type { FailureClass, Json } from "@planloom/plugin/effect"
import { isTooDeep, TOO_DEEP } from "@planloom/schema"
import { HttpFailed } from "../HttpFailed.ts"
import type { Response } from "../net/Request.ts"

/** Characters of an error's body that the failure keeps. */
const MAX_DETAIL_CHARACTERS = 4000

export type Wanted = "json" | "text" | "any"

/** Null for an answer without content. Fails for a status that is not a success. */
export const readAnswer = (response: Response, wanted: Wanted, method: string): Json => {
  const { body, status } = response
  if (status < 200 || status > 299) throw statusFailure(response, method)
  if (body.length === 0) return null
  const type = contentType(response)
  if (isJson(type) || (type === "" && wanted === "json")) {
    return wanted === "text" ? textOf(response) : jsonOf(response)
  }
  if (wanted === "json") {
    throw new HttpFailed(
      "invalid_output",
      `${response.url.origin} answered with ${type}, not with JSON: ${startOf(textOf(response))}`,
    )
  }
  if (type === "" || isText(type) || wanted === "text") return textOf(response)
  throw new HttpFailed(
    "invalid_output",
    `${response.url.origin} answered with ${type}, which is neither JSON nor text`,
  )
}

export const contentType = ({ headers }: Response): string =>
  (headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase()

const isJson = (type: string): boolean => /^(application|text)\/json$|\+json$/.test(type)

const isText = (type: string): boolean =>
  /^text\/|^application\/(xml|yaml|x-yaml|javascript|x-ndjson|x-www-form-urlencoded)$|\+(xml|yaml)$/.test(
    type,
  )

const jsonOf = (response: Response): Json => {
  const text = textOf(response)
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    throw new HttpFailed(
      "invalid_output",
      `${response.url.origin} answered with invalid JSON: ${startOf(text)}`,
    )
  }
  if (!isTooDeep(value)) return value
  throw new HttpFailed(
    "invalid_output",
    `${response.url.origin} answered with JSON that ${TOO_DEEP}`,
  )
}

const textOf = ({ body, headers, url }: Response): string => {
  const charset = /charset="?([^\s;"]+)/i.exec(headers["content-type"] ?? "")?.[1] ?? "utf-8"
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    throw new HttpFailed(
      "invalid_output",
      `${url.origin} answered in the unknown encoding "${charset}"`,
    )
  }
}

const startOf = (text: string): string =>
  JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)

const classes: { readonly [status: number]: FailureClass } = {
  401: "auth",
  403: "auth",
  407: "auth",
  408: "timeout",
  425: "unavailable",
  429: "rate_limit",
  504: "timeout",
}

const statusFailure = (response: Response, method: string): HttpFailed => {
  const { headers, status, statusText, url } = response
  const text = new TextDecoder().decode(response.body)
  const said = messageInBody(text)
  const kind = classes[status] ?? (status >= 500 ? "unavailable" : "tool_error")
  const given = Object.entries(headers).filter(([name]) => name.startsWith("retry-after"))
  return new HttpFailed(
    kind,
    `${method} ${url.origin}${url.pathname} answered with ${status} ${statusText}${said === undefined ? "" : `: ${said}`}`.trim(),
    {
      detail: { status, body: detailOf(text, isJson(contentType(response))) },
      retryAfter: parseRetryAfter(new Headers(given.map(([name, value]) => [name, String(value)]))),
    },
  )
}

const detailOf = (text: string, isJsonText: boolean): Json => {
  if (text.length > MAX_DETAIL_CHARACTERS) return `${text.slice(0, MAX_DETAIL_CHARACTERS)}…`
  if (!isJsonText) return text
  try {
    const value = JSON.parse(text) as Json
    return isTooDeep(value) ? text : value
  } catch {
    return text
  }
}
