/** The SDK's errors → what went wrong, in the kit's words. */
import type { FailureClass } from "@planloom/plugin"
import { parseDuration } from "@planloom/plugin/duration"
import { broken, retryAfter, type Trouble, type Wire } from "@planloom/provider-kit"

/** The body of an error, which the SDK hands on as the text of its `ApiError`'s message. */
interface ErrorBody {
  readonly message?: string
  readonly status?: string
  readonly details?: ReadonlyArray<{
    readonly "@type"?: string
    readonly retryDelay?: string
    readonly reason?: string
  }>
}

/** Where the service's own state says more than the HTTP status (google.rpc.Code). */
const classes: { readonly [state: string]: FailureClass } = {
  ABORTED: "unavailable",
  CANCELLED: "unavailable",
  DEADLINE_EXCEEDED: "timeout",
  // Where nobody pays, and the free tier is not offered.
  FAILED_PRECONDITION: "auth",
  NOT_FOUND: "no_model",
  PERMISSION_DENIED: "auth",
  RESOURCE_EXHAUSTED: "rate_limit",
  UNAUTHENTICATED: "auth",
  UNAVAILABLE: "overloaded",
  UNIMPLEMENTED: "invalid_request",
}

export const toTrouble = (error: unknown, wire: Wire): Trouble => {
  const { message, name, status } = error as { message?: string; name?: string; status?: number }
  if (name !== "ApiError" || status === undefined) return broken(error, wire)
  const body = bodyOf(message ?? "")
  if (body === undefined) return broken(error, wire)
  const delay = body.details?.find(({ "@type": type }) => type?.endsWith("RetryInfo"))?.retryDelay
  // A bad key is a bad request here.
  const badKey = body.details?.some(({ reason }) => reason === "API_KEY_INVALID") === true
  return {
    status,
    class: badKey ? "auth" : classes[body.status ?? ""],
    message: body.message ?? `the service answered with status ${status}`,
    retryAfter:
      (delay === undefined ? undefined : parseDuration(delay)) ??
      retryAfter(wire.answered?.headers),
  }
}

/** In the middle of a stream the SDK puts words before it. */
const bodyOf = (message: string): ErrorBody | undefined => {
  try {
    const whole = JSON.parse(message.slice(Math.max(0, message.indexOf("{")))) as {
      readonly error?: ErrorBody
    }
    return whole.error
  } catch {
    return undefined
  }
}
