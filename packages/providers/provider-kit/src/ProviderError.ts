/** An error of a model service, its conversion to `ModelFailed`, and its failure class. */
import {
  ModelFailed,
  secretSpellings,
  type FailureClass,
  type Usage,
} from "@planloom/plugin/effect"

export interface ProviderError {
  /** The HTTP status. */
  readonly status?: number | undefined
  /** The failure class, if the service reports more than the status implies. */
  readonly class?: FailureClass | undefined
  /** The service's own message. */
  readonly message: string
  /** Milliseconds to wait before a retry, as requested by the service. */
  readonly retryAfter?: number | undefined
  readonly requestId?: string | undefined
  /** Tokens the failed request used, if the service reports them. */
  readonly usage?: Usage | undefined
  /** The reply holds a tool call that cannot be read, so that the model may be asked for it again. */
  readonly unreadCall?: true | undefined
  /** The request never reached the service. */
  readonly unsent?: true | undefined
}

/** Usage of a request that the service may have processed without reporting tokens. */
export const unknownUsage: Usage = { input: 0, output: 0, estimated: true }

/** Error of a reply that ends without a finish. */
export const unfinishedReply: ProviderError = {
  class: "unavailable",
  message: "the reply ended without a finish",
  usage: unknownUsage,
}

/** Error of a reply that the service broke off, or ended for a reason that is not known; `word` is the service's own. */
export const brokenOff = (word: string): ProviderError => ({
  class: "unavailable",
  message: `the service ended the reply with "${word}"`,
})

/** Error of a reply that does not follow the service's protocol. */
export const unreadableReply: ProviderError = {
  class: "unavailable",
  message: "the service answered with something that cannot be read",
  usage: unknownUsage,
}

/** Error of a reply that exceeds the size limit. */
export const replyTooLarge = (maxBytes: number): ProviderError => ({
  class: "too_large",
  message: `the reply is larger than ${maxBytes} bytes (max_reply_bytes)`,
  usage: unknownUsage,
})

/** Long error messages of services repeat the request. */
const MAX_MESSAGE_CHARS = 500

/**
 * Converts an error of a service to `ModelFailed`. The message is one line, without query strings of URLs (they can
 * carry keys) and without the values in `secrets`, which some services repeat. `key` is the name of the secret that
 * was sent; a message about a refused key ends with it.
 */
export const toModelFailed = (
  model: string,
  error: ProviderError,
  secrets: ReadonlyArray<string> = [],
  key?: string,
): ModelFailed => {
  const { requestId, retryAfter, unreadCall, unsent, usage } = error
  const failure = error.class ?? classifyStatus(error.status, error.message)
  const message = redact(error.message, secrets)
  return new ModelFailed({
    class: failure,
    model,
    message:
      failure === "auth" && key !== undefined
        ? `${message.replace(/[.\s]+$/, "")} (the key is ${key})`
        : message,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(usage === undefined ? {} : { usage }),
    ...(unsent === undefined ? {} : { unsent }),
    ...(requestId === undefined && unreadCall === undefined
      ? {}
      : {
          detail: {
            ...(requestId === undefined ? {} : { requestId }),
            ...(unreadCall === undefined ? {} : { unreadCall }),
          },
        }),
  })
}

/**
 * The failure class of an HTTP status. Services over capacity answer 529, gateways in front of them 503. A conflict
 * (409) is with other requests, so it is temporary.
 */
export const classifyStatus = (status: number | undefined, message: string): FailureClass => {
  if (status === undefined) return "unavailable"
  if (status === 401 || status === 402 || status === 403) return "auth"
  if (status === 408 || status === 504) return "timeout"
  if (status >= 400 && status < 500 && isSpentMessage(message)) return "auth"
  if (status === 409) return "unavailable"
  if (status === 501) return "invalid_request"
  if (status === 413) return "context_length"
  if (status === 429) return "rate_limit"
  if (status === 503 || status === 529) return "overloaded"
  if (status >= 400 && status < 500) {
    return isContextLengthMessage(message) ? "context_length" : "invalid_request"
  }
  return "unavailable"
}

/**
 * Spent credit or quota, which services report as 400, 403, 412 or 429: waiting does not help, but another model may
 * answer, as with a refused key. The phrases of Anthropic, OpenAI, xAI, Moonshot, Zhipu, Fireworks and Google.
 */
const isSpentMessage = (message: string): boolean =>
  /credit balance|(insufficient|out of|used all( available)?) (credits?|balance|funds|quota)|insufficient_quota|spend(ing)? limit|plan and billing|credits are depleted/i.test(
    message,
  )

/** Few services have an error code for it; these are the phrases of Anthropic, Google, OpenAI, vLLM and llama.cpp. */
export const isContextLengthMessage = (message: string): boolean =>
  /context.{0,20}(length|window|size)|prompt is too long|(input )?token count.{0,40}exceeds/i.test(
    message,
  )

/** Replaces secrets, removes query strings of URLs, and shortens the message to one line of bounded length. */
export const redact = (message: string, secrets: ReadonlyArray<string> = []): string => {
  const hidden = secrets
    .flatMap((secret) => (secret === "" ? [] : secretSpellings(secret)))
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, spelling) => text.replaceAll(spelling, "[secret]"), message)
  const line = hidden
    .replace(/(https?:\/\/[^\s?#)]*)[?#][^\s)]*/gi, "$1")
    .replace(/\s+/g, " ")
    .trim()
  return line.length > MAX_MESSAGE_CHARS ? `${line.slice(0, MAX_MESSAGE_CHARS - 1)}…` : line
}
