/** The SDK's errors, and those in answers that claim to be well → what went wrong, in the kit's words. */
import type { FailureClass } from "@planloom/plugin"
import {
  broken,
  retryAfter,
  saidIn,
  unreadable,
  type Trouble,
  type Wire,
} from "@planloom/provider-kit"
import type { ServerOptions } from "./options.ts"

/** What the SDK's `APIError` tells; its subclasses add nothing. */
interface ApiError {
  readonly status?: number | undefined
  readonly headers?: Headers | undefined
  readonly error?: unknown
  readonly requestID?: string | null | undefined
}

interface ErrorBody {
  readonly message?: string
  /** A number, equal to a status, where OpenRouter says it. */
  readonly code?: string | number | null
  readonly type?: string | null
}

/** Codes and types that say more than the status does. */
const classes: { readonly [code: string]: FailureClass } = {
  // Only a person with a purse can mend these: as with a refused key, the next model is worth a try.
  billing_hard_limit_reached: "auth",
  insufficient_quota: "auth",
  invalid_api_key: "auth",
  // What reasoning models are not to be asked.
  invalid_prompt: "content_filter",
  content_filter: "content_filter",
  content_policy_violation: "content_filter",
  context_length_exceeded: "context_length",
  exceed_context_size_error: "context_length",
  rate_limit_exceeded: "rate_limit",
  // llama.cpp, while it loads its model.
  unavailable_error: "unavailable",
}

/** What an error of the SDK means that came of asking this server for this model. */
export const troubleFor =
  (server: Pick<ServerOptions, "baseUrl" | "id">, model: string) =>
  (error: unknown, wire: Wire): Trouble => {
    const { error: body, status } = (error ?? {}) as ApiError
    const trouble =
      status === undefined && (body === undefined || body === null)
        ? broken(error, wire)
        : troubleOf(error as ApiError, saidIn(wire.head))
    return helpful(trouble, server, model)
  }

/** `said` is what stands where the protocol has its message. */
export const troubleOf = (
  { error, headers, requestID, status }: ApiError,
  said?: string,
): Trouble => {
  const { code, message, type } = (typeof error === "object" ? (error ?? {}) : {}) as ErrorBody
  const told = typeof code === "number" && code >= 400 ? code : undefined
  const sentence = message ?? (typeof error === "string" ? error : said)
  return {
    status: status ?? told,
    class:
      classes[String(code)] ??
      classes[type ?? ""] ??
      (isLoading(status, sentence) ? "unavailable" : undefined),
    message: sentence ?? `the service answered with status ${String(status)}`,
    retryAfter: retryAfter(headers) ?? (isLoading(status, sentence) ? LOADING : undefined),
    requestId: requestID ?? undefined,
  }
}

/** Milliseconds. A server that loads its model does not say how long; small ones are there in a few seconds. */
const LOADING = 2000

/** llama.cpp answers so from its start until the model is there. */
const isLoading = (status: number | undefined, message: string | undefined): boolean =>
  status === 503 && message !== undefined && /loading/i.test(message)

/** Adds what a person can do about it, where that is known. */
export const helpful = (
  trouble: Trouble,
  { baseUrl = "", id }: Pick<ServerOptions, "baseUrl" | "id">,
  model: string,
): Trouble => {
  const { message, status } = trouble
  const withHelp = (what: FailureClass, help: string): Trouble => ({
    ...trouble,
    class: what,
    message: `${message.replace(/[.\s]+$/, "")}; ${help}`,
  })
  if (isNoModel(message)) {
    return withHelp(
      "no_model",
      id === "ollama"
        ? `\`ollama pull ${model}\` gets it`
        : `${shown(baseUrl)}/models lists those that are there`,
    )
  }
  // LM Studio answers so, with a status that claims to be well.
  if (status !== 404 && status !== 405 && !/unexpected endpoint/i.test(message)) return trouble
  return withHelp("invalid_request", addressHelp(baseUrl))
}

const addressHelp = (baseUrl: string): string =>
  isVersioned(baseUrl)
    ? `base_url is ${shown(baseUrl)}: is that a server that speaks OpenAI's protocol?`
    : `base_url is ${shown(baseUrl)}: is /v1 missing from it?`

/** Without a name and a password: they are secrets. */
const shown = (baseUrl: string): string => baseUrl.replace(/\/\/[^/@]*@/, "//").replace(/\/$/, "")

const isVersioned = (baseUrl: string): boolean => /\/v\d+\w*\/?$/.test(baseUrl)

/** What an answer that claims to be well and is no reply says; undefined where its beginning may be one. */
export const insteadOf = (
  { answered, head }: Wire,
  server: Pick<ServerOptions, "baseUrl" | "id">,
  model: string,
): Trouble | undefined => {
  const errors = errorIn(head)
  if (errors !== undefined) return helpful(troubleOf({ error: errors }), server, model)
  const type = answered?.headers.get("content-type") ?? ""
  const said = /html|text\/plain/.test(type) ? saidIn(head) : undefined
  if (said === undefined) return undefined
  const { baseUrl = "" } = server
  const help = isVersioned(baseUrl) ? "" : `; ${addressHelp(baseUrl)}`
  return { ...unreadable, message: `${unreadable.message} (${said})${help}` }
}

const errorIn = (body: string): unknown => {
  if (!/^\s*\{\s*"error"\s*:/.test(body)) return undefined
  try {
    return (JSON.parse(body) as { readonly error?: unknown }).error ?? undefined
  } catch {
    return undefined
  }
}

/** In the words of OpenAI, Ollama, vLLM and LM Studio. */
const isNoModel = (message: string): boolean =>
  /model\b.{0,120}(not found|does not exist|not exist|no such)|(failed to load|no such|unknown|invalid) model|no models? loaded/i.test(
    message,
  )
