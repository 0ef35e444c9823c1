/** What a service said was wrong, in the words all of them share, and the class of failure that is. */
import { ModelFailed, type FailureClass, type Usage } from "@planloom/plugin"

export interface Trouble {
  /** Of HTTP. */
  readonly status?: number | undefined
  /** The class, where the service says more than the status does. */
  readonly class?: FailureClass | undefined
  /** The service's own sentence. */
  readonly message: string
  /** Milliseconds the service wants to be left alone. */
  readonly retryAfter?: number | undefined
  readonly requestId?: string | undefined
  /** What the refused request has used, where the service says. */
  readonly usage?: Usage | undefined
  /** The request has reached nobody. */
  readonly unsent?: true | undefined
}

/** Of a request that may have been worked on, by a service that has told nothing of it. */
export const untold: Usage = { input: 0, output: 0, estimated: true }

/** What a reply is that stops without saying that it has ended. */
export const unfinished: Trouble = {
  class: "unavailable",
  message: "the reply ended without a finish",
  usage: untold,
}

/** What a reply is that is none of those its service is known to give. */
export const unreadable: Trouble = {
  class: "unavailable",
  message: "the service answered with something that cannot be read",
  usage: untold,
}

/** What a reply is that has more bytes than it may have. */
export const tooLarge = (most: number): Trouble => ({
  class: "too_large",
  message: `the reply is larger than ${most} bytes (max_reply_bytes)`,
  usage: untold,
})

/** Long messages of services repeat the request. */
const LONGEST = 500

/**
 * One line, without the queries of URLs (keys travel in them) and without the values in `secrets`,
 * which some services repeat. `key` is the name of the secret that was sent: whoever is refused wants to know it.
 */
export const failureOf = (
  model: string,
  trouble: Trouble,
  secrets: ReadonlyArray<string> = [],
  key?: string,
): ModelFailed => {
  const { requestId, retryAfter, unsent, usage } = trouble
  const failure = trouble.class ?? classOf(trouble.status, trouble.message)
  const message = clean(trouble.message, secrets)
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
    ...(requestId === undefined ? {} : { detail: { requestId } }),
  })
}

/**
 * The class of an HTTP status; 529 is what services over capacity answer, 503 what gateways before them do. A
 * conflict (409) is one with other requests, and passes.
 */
export const classOf = (status: number | undefined, message: string): FailureClass => {
  if (status === undefined) return "unavailable"
  if (status === 401 || status === 402 || status === 403) return "auth"
  if (status === 408 || status === 504) return "timeout"
  if (status === 409) return "unavailable"
  if (status === 501) return "invalid_request"
  if (status === 413) return "context_length"
  if (status === 429) return "rate_limit"
  if (status === 503 || status === 529) return "overloaded"
  if (status >= 400 && status < 500) return tooLong(message) ? "context_length" : "invalid_request"
  return "unavailable"
}

/** Few services have a code of its own for it; these are the words of Anthropic, Google, OpenAI, vLLM and llama.cpp. */
export const tooLong = (message: string): boolean =>
  /context.{0,20}(length|window|size)|prompt is too long|(input )?token count.{0,40}exceeds/i.test(
    message,
  )

export const clean = (message: string, secrets: ReadonlyArray<string> = []): string => {
  const hidden = secrets.reduce(
    (text, secret) => (secret === "" ? text : text.replaceAll(secret, "[secret]")),
    message,
  )
  const line = hidden
    .replace(/(https?:\/\/[^\s?#)]*)[?#][^\s)]*/gi, "$1")
    .replace(/\s+/g, " ")
    .trim()
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line
}
