/** Failure of a request: one sentence for a person, without secrets. */
import type { FailureClass, Json } from "@planloom/plugin/effect"

export class HttpFailed extends Error {
  readonly class: FailureClass
  readonly detail: Json | undefined
  /** Milliseconds that the service asks to wait. */
  readonly retryAfter: number | undefined

  constructor(
    kind: FailureClass,
    message: string,
    {
      detail,
      retryAfter,
    }: { readonly detail?: Json; readonly retryAfter?: number | undefined } = {},
  ) {
    super(message)
    this.class = kind
    this.detail = detail
    this.retryAfter = retryAfter
  }

  /** The same failure in other words. */
  reworded(message: string, detail = this.detail, kind = this.class): HttpFailed {
    const { retryAfter } = this
    return new HttpFailed(kind, message, {
      ...(detail === undefined ? {} : { detail }),
      retryAfter,
    })
  }
}

/** A request that the plugin's config excludes: other arguments of the call change nothing. */
export const notAllowed = (message: string): HttpFailed => new HttpFailed("not_allowed", message)

/** A request that is refused before it is sent. */
export const refused = (message: string): HttpFailed => new HttpFailed("invalid_request", message)
