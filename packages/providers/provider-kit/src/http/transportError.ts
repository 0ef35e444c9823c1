/** Errors without a readable error of the service: the connection, or a response outside the protocol. */
import type { HttpExchange } from "./HttpExchange.ts"
import { messageInBody } from "./messageInBody.ts"
import { parseRetryAfter } from "./parseRetryAfter.ts"
import { unknownUsage, unreadableReply, type ProviderError } from "../ProviderError.ts"

/** Converts every error thrown by an SDK that is not its typed error of an error response. */
export const transportError = (
  error: unknown,
  { head, origin, response }: HttpExchange,
): ProviderError => {
  if (response !== undefined && response.status >= 400) {
    const message = messageInBody(head)
    return {
      status: response.status,
      message: `the service answered with status ${response.status}${message === undefined ? "" : `: ${message}`}`,
      retryAfter: parseRetryAfter(response.headers),
    }
  }
  const code = codeOf(error)
  const unreached = `${origin ?? "the service"} cannot be reached${code === undefined ? "" : ` (${code})`}`
  if (code !== undefined && /TIMEOUT|TIMEDOUT/.test(code)) {
    const unsent = response === undefined && code.includes("CONNECT_TIMEOUT")
    return { class: "timeout", message: unreached, ...(unsent ? { unsent } : {}) }
  }
  if (response === undefined) {
    if (code !== undefined && unsentCodes.test(code)) {
      return { class: "unavailable", message: unreached, unsent: true }
    }
    const isEnded = code !== undefined && endedCodes.test(code)
    return {
      class: "unavailable",
      message: isEnded
        ? `${origin ?? "the service"} ended the connection before it answered (${code})`
        : unreached,
      usage: unknownUsage,
    }
  }
  if (isParseError(error)) return unreadableReply
  return {
    class: "unavailable",
    message: "the connection broke off in the middle of the reply",
    usage: unknownUsage,
  }
}

/** No connection was established, so the service has not processed the request. */
const unsentCodes = /REFUSED|NOTFOUND|AGAIN|UNREACH|CERT|SSL|TLS|INVALID/

/** A connection was established: the server was killed or restarted, or refused the request without an answer. */
const endedCodes = /UND_ERR_SOCKET|RESET|PIPE/

/** SDKs wrap the error of `JSON.parse` in errors of their own. */
const isParseError = (error: unknown): boolean =>
  error instanceof SyntaxError ||
  (error instanceof Error && /JSON|parsing|parse/i.test(error.message))

/** The operating system's error code at any depth of causes: `ECONNREFUSED`, `ENOTFOUND`. */
const codeOf = (error: unknown, depth = 0): string | undefined => {
  if (typeof error !== "object" || error === null || depth > 4) return undefined
  const { cause, code, errors } = error as {
    readonly cause?: unknown
    readonly code?: unknown
    readonly errors?: ReadonlyArray<unknown>
  }
  if (typeof code === "string" && /^[A-Z][A-Z_]+$/.test(code)) return code
  return codeOf(cause ?? errors?.[0], depth + 1)
}
