/** The SDK's errors → what went wrong, in the kit's words. */
import type { FailureClass } from "@planloom/plugin"
import { broken, retryAfter, type Trouble, type Wire } from "@planloom/provider-kit"

/** What the SDK's `APIError` tells; its subclasses add nothing. */
interface ApiError {
  readonly status?: number
  readonly headers?: Headers
  readonly type?: string | null
  readonly apiMessage?: string | null
  readonly errorCode?: string | null
  readonly requestID?: string | null
}

/** The service's own categories, which also come in the middle of a stream, where there is no status. */
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

/** Only a person with a purse can mend these: as with a refused key, the next model is worth a try. */
const spent = new Set(["contract_spend_limit_reached", "enforced_spend_limit_reached"])

export const toTrouble = (error: unknown, wire: Wire): Trouble => {
  const { apiMessage, errorCode, headers, requestID, status, type } = (error ?? {}) as ApiError
  if (status === undefined && (type === undefined || type === null)) return broken(error, wire)
  // A page of whatever lies between the service and us.
  if (status !== undefined && (apiMessage ?? type ?? undefined) === undefined) {
    return broken(error, wire)
  }
  return {
    // In a stream the words of a bad request say what is bad.
    status: status ?? (type === "invalid_request_error" ? 400 : undefined),
    class: spent.has(errorCode ?? "") ? "auth" : classes[type ?? ""],
    message: apiMessage ?? `the service answered with ${type ?? `status ${String(status)}`}`,
    retryAfter: retryAfter(headers),
    requestId: requestID ?? undefined,
  }
}
