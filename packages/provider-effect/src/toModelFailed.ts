/** Effect AI's errors → the contract's failure classes. */
import * as Duration from "effect/Duration"
import type { AiError, AiErrorReason } from "effect/ai/AiError"
import { ModelFailed, type FailureClass } from "@planloom/plugin"
import { untold } from "@planloom/provider-kit"

/** What providers answer when they are over capacity; not among the named HTTP statuses. */
const OVERLOADED = 529

/** The message is the provider's own sentence, without the queries of URLs: keys travel in them. */
export const toModelFailed = (model: string, error: AiError): ModelFailed => {
  const retryAfter = error.retryAfter
  return new ModelFailed({
    class: classOf(error.reason),
    model,
    message: withoutQueries(error.reason.message),
    ...(retryAfter === undefined ? {} : { retryAfter: Duration.toMillis(retryAfter) }),
    ...(mayHaveCost.has(error.reason._tag) ? { usage: untold } : {}),
  })
}

/** The provider had begun to answer, or nobody knows whether it had. */
const mayHaveCost: ReadonlySet<AiErrorReason["_tag"]> = new Set<AiErrorReason["_tag"]>([
  "InvalidOutputError",
  "InvalidResponseError",
  "NetworkError",
  "StructuredOutputError",
])

const withoutQueries = (text: string): string =>
  text.replace(/(https?:\/\/[^\s?#)]*)[?#][^\s)]*/gi, "$1")

const classOf = (reason: AiErrorReason): FailureClass => {
  switch (reason._tag) {
    case "RateLimitError":
      return "rate_limit"
    case "QuotaExhaustedError":
      // Only a person with a purse can mend it: as with a refused key, the next model is worth a try.
      return "auth"
    case "AuthenticationError":
      return "auth"
    case "ContentPolicyError":
      return "content_filter"
    case "InternalProviderError":
      return statusOf(reason) === OVERLOADED ? "overloaded" : "unavailable"
    case "NetworkError":
      return reason.reason === "TransportError" ? "unavailable" : "invalid_request"
    case "InvalidRequestError":
      return tooLong(reason.message) ? "context_length" : "invalid_request"
    case "InvalidResponseError":
    case "UnknownError":
      return statusOf(reason) === OVERLOADED ? "overloaded" : "unavailable"
    case "InvalidOutputError":
    case "StructuredOutputError":
    case "ToolNotFoundError":
    case "ToolParameterValidationError":
      return "invalid_output"
    case "UnsupportedSchemaError":
    case "ToolConfigurationError":
    case "ToolkitRequiredError":
    case "InvalidUserInputError":
    case "InvalidToolResultError":
    case "ToolResultEncodingError":
      return "invalid_request"
  }
}

const statusOf = (reason: AiErrorReason): number | undefined =>
  "http" in reason ? reason.http?.response?.status : undefined

/** Providers have no code of their own for it; these are the words of OpenAI, Anthropic and Google. */
const tooLong = (message: string): boolean =>
  /context.{0,20}(length|window)|prompt is too long|(input )?token count.{0,40}exceeds/i.test(
    message,
  )
