/** Converts Effect AI's errors to the contract's failures. */
import * as Duration from "effect/Duration"
import type { AiError, AiErrorReason } from "effect/ai/AiError"
import { ModelFailed, type FailureClass } from "@planloom/plugin/effect"
import { unknownUsage } from "@planloom/provider-kit"

/** HTTP status of providers over capacity; not a registered one. */
const OVERLOADED_STATUS = 529

/** Keeps the provider's message, without query strings of URLs, which can carry keys. */
export const toModelFailed = (model: string, error: AiError): ModelFailed => {
  const retryAfter = error.retryAfter
  return new ModelFailed({
    class: failureClass(error.reason),
    model,
    message: withoutQueries(error.reason.message),
    ...(retryAfter === undefined ? {} : { retryAfter: Duration.toMillis(retryAfter) }),
    ...(mayHaveCost.has(error.reason._tag) ? { usage: unknownUsage } : {}),
  })
}

/** Errors after which the provider may have processed the request. */
const mayHaveCost: ReadonlySet<AiErrorReason["_tag"]> = new Set<AiErrorReason["_tag"]>([
  "InvalidOutputError",
  "InvalidResponseError",
  "NetworkError",
  "StructuredOutputError",
])

const withoutQueries = (text: string): string =>
  text.replace(/(https?:\/\/[^\s?#)]*)[?#][^\s)]*/gi, "$1")

const failureClass = (reason: AiErrorReason): FailureClass => {
  switch (reason._tag) {
    case "RateLimitError":
      return "rate_limit"
    case "QuotaExhaustedError":
      // Billing: a retry cannot succeed, but the next model may, as with a refused key.
      return "auth"
    case "AuthenticationError":
      return "auth"
    case "ContentPolicyError":
      return "content_filter"
    case "InternalProviderError":
      return statusOf(reason) === OVERLOADED_STATUS ? "overloaded" : "unavailable"
    case "NetworkError":
      return reason.reason === "TransportError" ? "unavailable" : "invalid_request"
    case "InvalidRequestError":
      return isContextLengthMessage(reason.message) ? "context_length" : "invalid_request"
    case "InvalidResponseError":
    case "UnknownError":
      return statusOf(reason) === OVERLOADED_STATUS ? "overloaded" : "unavailable"
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

/** Providers have no error code for it; these are the phrases of OpenAI, Anthropic and Google. */
const isContextLengthMessage = (message: string): boolean =>
  /context.{0,20}(length|window)|prompt is too long|(input )?token count.{0,40}exceeds/i.test(
    message,
  )
