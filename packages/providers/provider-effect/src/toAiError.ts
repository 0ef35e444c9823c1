/** Converts the contract's failures to Effect AI's errors. */
import * as Duration from "effect/Duration"
import * as AiError from "effect/ai/AiError"
import type { ModelFailed } from "@planloom/plugin/effect"

export const toAiError = (method: string, failure: ModelFailed): AiError.AiError =>
  AiError.make({ module: `Planloom(${failure.model})`, method, reason: reasonOf(failure) })

const reasonOf = ({ class: reason, message: description, model, retryAfter }: ModelFailed) => {
  switch (reason) {
    case "rate_limit":
      return new AiError.RateLimitError(
        retryAfter === undefined ? {} : { retryAfter: Duration.millis(retryAfter) },
      )
    case "auth":
      return new AiError.AuthenticationError({ kind: "Unknown", description })
    case "content_filter":
      return new AiError.ContentPolicyError({ description })
    case "invalid_request":
    case "context_length":
      return new AiError.InvalidRequestError({ description })
    case "invalid_output":
    case "too_large":
      return new AiError.InvalidOutputError({ description })
    case "overloaded":
    case "unavailable":
      return new AiError.InternalProviderError({ description })
    case "timeout":
      return new AiError.NetworkError({
        reason: "TransportError",
        method: "POST",
        url: model,
        description,
      })
    default:
      return new AiError.UnknownError({ description })
  }
}
