/** Converts the SDK's errors to provider errors. */
import type { FailureClass } from "@planloom/plugin/effect"
import {
  transportError,
  parseRetryAfter,
  type ProviderError,
  type HttpExchange,
} from "@planloom/provider-kit"

/** Fields of the SDK's `APIError`; its subclasses add none. */
interface ApiError {
  readonly status?: number
  readonly headers?: Headers
  readonly type?: string | null
  readonly apiMessage?: string | null
  readonly errorCode?: string | null
  readonly requestID?: string | null
}

/** Failure classes of the service's error types, which also occur within a stream, without a status. */
const classes: { readonly [type: string]: FailureClass } = {
  authentication_error: "auth",
  billing_error: "auth",
  not_found_error: "no_model",
  overloaded_error: "overloaded",
  permission_error: "auth",
  rate_limit_error: "rate_limit",
  request_too_large: "context_length",
  timeout_error: "timeout",
}

/** Billing: a retry cannot succeed, but the next model may, as with a refused key. */
const spendLimitCodes = new Set(["contract_spend_limit_reached", "enforced_spend_limit_reached"])

export const toProviderError = (error: unknown, exchange: HttpExchange): ProviderError => {
  const { apiMessage, errorCode, headers, requestID, status, type } = (error ?? {}) as ApiError
  if (status === undefined && (type === undefined || type === null))
    return transportError(error, exchange)
  // A proxy's error page.
  if (status !== undefined && (apiMessage ?? type ?? undefined) === undefined) {
    return transportError(error, exchange)
  }
  return {
    // Within a stream there is no status; 400 lets the message determine the class.
    status: status ?? (type === "invalid_request_error" ? 400 : undefined),
    class: spendLimitCodes.has(errorCode ?? "") ? "auth" : classes[type ?? ""],
    message: apiMessage ?? `the service answered with ${type ?? `status ${String(status)}`}`,
    retryAfter: parseRetryAfter(headers),
    requestId: requestID ?? undefined,
  }
}
