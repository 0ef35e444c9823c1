/** Failure of a server: one sentence for a person, without secrets. */
import type { FailureClass, Json } from "@planloom/plugin/effect"

export class McpFailed extends Error {
  readonly class: FailureClass
  readonly detail: Json | undefined
  /** Milliseconds until another try makes sense. */
  readonly retryAfter: number | undefined

  constructor(
    kind: FailureClass,
    message: string,
    { detail, retryAfter }: { readonly detail?: Json; readonly retryAfter?: number } = {},
  ) {
    super(message)
    this.class = kind
    this.detail = detail
    this.retryAfter = retryAfter
  }
}
