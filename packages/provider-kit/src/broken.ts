/** What went wrong where no service said anything: the connection, or an answer that is none. */
import { saidIn } from "./saidIn.ts"
import { unreadable, untold, type Trouble } from "./Trouble.ts"
import { retryAfter } from "./retryAfter.ts"
import type { Wire } from "./Wire.ts"

/** For every error an SDK throws that is not its own of an answered request. */
export const broken = (error: unknown, { answered, head, origin }: Wire): Trouble => {
  if (answered !== undefined && answered.status >= 400) {
    const said = saidIn(head)
    return {
      status: answered.status,
      message: `the service answered with status ${answered.status}${said === undefined ? "" : `: ${said}`}`,
      retryAfter: retryAfter(answered.headers),
    }
  }
  const code = codeOf(error)
  const unreached = `${origin ?? "the service"} cannot be reached${code === undefined ? "" : ` (${code})`}`
  if (code !== undefined && /TIMEOUT|TIMEDOUT/.test(code)) {
    const unsent = answered === undefined && code.includes("CONNECT_TIMEOUT")
    return { class: "timeout", message: unreached, ...(unsent ? { unsent } : {}) }
  }
  if (answered === undefined) {
    return {
      class: "unavailable",
      message: unreached,
      ...(code !== undefined && neverSent.test(code) ? { unsent: true } : { usage: untold }),
    }
  }
  if (isUnreadable(error)) return unreadable
  return {
    class: "unavailable",
    message: "the connection broke off in the middle of the reply",
    usage: untold,
  }
}

/** No connection came about, so nobody has worked on the request. */
const neverSent = /REFUSED|NOTFOUND|AGAIN|UNREACH|CERT|SSL|TLS|INVALID/

/** SDKs wrap what `JSON.parse` threw in errors of their own. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof SyntaxError ||
  (error instanceof Error && /JSON|parsing|parse/i.test(error.message))

/** The code of the system's error, however deep it lies: `ECONNREFUSED`, `ENOTFOUND`. */
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
