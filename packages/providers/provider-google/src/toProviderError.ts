/** Converts the SDK's errors to provider errors. */
import type { FailureClass } from "@planloom/plugin/effect"
import { parseDuration } from "@planloom/plugin/duration"
import {
  transportError,
  parseRetryAfter,
  type ProviderError,
  type HttpExchange,
} from "@planloom/provider-kit"

/** The body of an error response, which the SDK passes on as the message of its `ApiError`. */
interface ErrorBody {
  readonly message?: string
  readonly status?: string
  readonly details?: ReadonlyArray<{
    readonly "@type"?: string
    readonly retryDelay?: string
    readonly reason?: string
    readonly violations?: ReadonlyArray<{ readonly quotaId?: string }>
  }>
}

/** Failure classes of google.rpc.Code, which is more specific than the HTTP status. */
const classes: { readonly [state: string]: FailureClass } = {
  ABORTED: "unavailable",
  CANCELLED: "unavailable",
  DEADLINE_EXCEEDED: "timeout",
  // Billing is off, and the free tier is not available.
  FAILED_PRECONDITION: "auth",
  NOT_FOUND: "no_model",
  PERMISSION_DENIED: "auth",
  RESOURCE_EXHAUSTED: "rate_limit",
  UNAUTHENTICATED: "auth",
  UNAVAILABLE: "overloaded",
  UNIMPLEMENTED: "invalid_request",
}

export const toProviderError = (error: unknown, exchange: HttpExchange): ProviderError => {
  const { message, name, status } = error as { message?: string; name?: string; status?: number }
  if (name !== "ApiError" || status === undefined) return transportError(error, exchange)
  const body = bodyOf(message ?? "")
  if (body === undefined) return transportError(error, exchange)
  const delay = body.details?.find(({ "@type": type }) => type?.endsWith("RetryInfo"))?.retryDelay
  // The service reports an invalid key as a bad request.
  const badKey = body.details?.some(({ reason }) => reason === "API_KEY_INVALID") === true
  return {
    status,
    class: badKey || isSpent(body) ? "auth" : classes[body.status ?? ""],
    message: body.message ?? `the service answered with status ${status}`,
    retryAfter:
      (delay === undefined ? undefined : parseDuration(delay)) ??
      parseRetryAfter(exchange.response?.headers),
  }
}

/** Quota of a day, or prepaid credit: a retry cannot succeed, but the next model may, as with a refused key. */
const isSpent = ({ details, message = "" }: ErrorBody): boolean =>
  /credits are depleted/i.test(message) ||
  details?.some(({ violations }) =>
    violations?.some(({ quotaId }) => quotaId?.includes("PerDay") === true),
  ) === true

/** Parses the body; within a stream the SDK prefixes it with text. */
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
