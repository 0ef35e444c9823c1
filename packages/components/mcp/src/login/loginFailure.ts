/** Errors of authorization servers → failures in one sentence, without what was sent to them or came from them as a credential. */
import { cleanLine } from "@planloom/plugin/clean"
import { McpFailed } from "../McpFailed.ts"

const MAX_SAID_CHARS = 300

interface SdkFailure {
  readonly name: string
  readonly message: string
  /** Of OAuth. */
  readonly code?: unknown
  /** Of HTTP. */
  readonly status?: unknown
  /** Which issuer differs. */
  readonly kind?: unknown
  readonly expected?: unknown
  readonly received?: unknown
}

/** `what` is the subject of the sentence. */
export const loginFailure = (error: unknown, what: string): McpFailed => {
  if (error instanceof McpFailed) return error
  return new McpFailed("auth", cleanLine(`${what} ${whyOf(error as SdkFailure)}`, MAX_SAID_CHARS))
}

const whyOf = ({ code, expected, kind, message, name, received, status }: SdkFailure): string => {
  if (kind === "metadata") return `is that of another issuer: ${String(received)}`
  if (kind === "authorization_response") {
    return received === undefined
      ? "does not say which issuer it is from"
      : `is from another issuer: ${String(received)} instead of ${String(expected)}`
  }
  // The words of a server may hold what it was sent.
  if (typeof code === "string") return `is refused: ${code}`
  if (typeof status === "number") return `is refused with status ${status}`
  return unreadable.has(name) ? "cannot be read" : `failed: ${message}`
}

/** Errors of JSON and of its schema. */
const unreadable = new Set(["SyntaxError", "ZodError", "$ZodError"])
