/** Converts the SDK's errors, and errors sent with a success status, to provider errors. */
import type { FailureClass } from "@planloom/plugin/effect"
import {
  isContextLengthMessage,
  transportError,
  parseRetryAfter,
  messageInBody,
  unreadableReply,
  type ProviderError,
  type HttpExchange,
} from "@planloom/provider-kit"
import type { ServerOptions } from "./options.ts"

/** Fields of the SDK's `APIError`; its subclasses add none. */
interface ApiError {
  readonly status?: number | undefined
  readonly headers?: Headers | undefined
  readonly error?: unknown
  readonly requestID?: string | null | undefined
}

interface ErrorBody {
  readonly message?: string
  /** OpenRouter sends a number equal to an HTTP status. */
  readonly code?: string | number | null
  readonly type?: string | null
}

/** Failure classes of codes and types that are more specific than the status. */
const classes: { readonly [code: string]: FailureClass } = {
  // Billing: a retry cannot succeed, but the next model may, as with a refused key.
  billing_hard_limit_reached: "auth",
  insufficient_quota: "auth",
  invalid_api_key: "auth",
  // A prompt that reasoning models reject.
  invalid_prompt: "content_filter",
  content_filter: "content_filter",
  content_policy_violation: "content_filter",
  context_length_exceeded: "context_length",
  exceed_context_size_error: "context_length",
  rate_limit_exceeded: "rate_limit",
  // llama.cpp, while it loads its model.
  unavailable_error: "unavailable",
}

/** Converter for errors of requests to this server for this model. */
export const toProviderError =
  (
    server: Pick<ServerOptions, "baseUrl" | "id"> & Partial<Pick<ServerOptions, "key">>,
    model: string,
  ) =>
  (error: unknown, exchange: HttpExchange): ProviderError => {
    const { error: body, status } = (error ?? {}) as ApiError
    const providerError =
      status === undefined && (body === undefined || body === null)
        ? transportError(error, exchange)
        : fromApiError(error as ApiError, messageInBody(exchange.head))
    return addHint(providerError, server, model)
  }

/** Converts an error in the API's form; `bodyMessage` replaces a missing message. */
export const fromApiError = (
  { error, headers, requestID, status }: ApiError,
  bodyMessage?: string,
): ProviderError => {
  const { code, message, type } = (typeof error === "object" ? (error ?? {}) : {}) as ErrorBody
  const codeStatus = typeof code === "number" && code >= 400 ? code : undefined
  const text = message ?? (typeof error === "string" ? error : bodyMessage)
  return {
    status: status ?? codeStatus,
    class:
      classes[String(code)] ??
      classes[type ?? ""] ??
      (isLoading(status, text) ? "unavailable" : undefined),
    message: text ?? `the service answered with status ${String(status)}`,
    retryAfter:
      parseRetryAfter(headers) ?? (isLoading(status, text) ? LOADING_RETRY_MS : undefined),
    requestId: requestID ?? undefined,
  }
}

/** A loading server does not report a delay; small models load within seconds. */
const LOADING_RETRY_MS = 2000

/** llama.cpp's response from its start until the model is loaded. */
const isLoading = (status: number | undefined, message: string | undefined): boolean =>
  status === 503 && message !== undefined && /loading/i.test(message)

/** Adds a suggested fix for a missing model or a wrong address. */
export const addHint = (
  error: ProviderError,
  {
    baseUrl = "",
    id,
    key,
  }: Pick<ServerOptions, "baseUrl" | "id"> & Partial<Pick<ServerOptions, "key">>,
  model: string,
): ProviderError => {
  const { message, status } = error
  const withHint = (failureClass: FailureClass, hint: string): ProviderError => ({
    ...error,
    class: failureClass,
    message: `${message.replace(/[.\s]+$/, "")}; ${hint}`,
  })
  if (isMissingModel(message)) {
    return withHint(
      "no_model",
      id === "ollama"
        ? `\`ollama pull ${model}\` gets it`
        : `${withoutCredentials(baseUrl)}/models lists those that are there`,
    )
  }
  if (lacksTools(message)) {
    return withHint(
      "invalid_request",
      `with \`${id}/${model}: { capabilities: [json_schema] }\` in a file under \`model_facts\` of planloom.yaml, its tools are described in the prompt`,
    )
  }
  if (status === 401 && key === undefined) {
    return withHint(
      "auth",
      `set servers.${id}.key in the config of @planloom/provider-openai to the name of the secret with its key`,
    )
  }
  if (id === "ollama" && isContextLengthMessage(message)) {
    return withHint(
      "context_length",
      "`num_ctx` of the server or the model in the provider's config raises the limit",
    )
  }
  // LM Studio reports an unknown path with a success status.
  if (status !== 404 && status !== 405 && !/unexpected endpoint/i.test(message)) return error
  return withHint("invalid_request", addressHint(baseUrl))
}

const addressHint = (baseUrl: string): string =>
  isVersioned(baseUrl)
    ? `base_url is ${withoutCredentials(baseUrl)}: is that a server that speaks OpenAI's protocol?`
    : `base_url is ${withoutCredentials(baseUrl)}: is /v1 missing from it?`

/** The URL without user name and password, which are secrets. */
const withoutCredentials = (baseUrl: string): string =>
  baseUrl.replace(/\/\/[^/@]*@/, "//").replace(/\/$/, "")

const isVersioned = (baseUrl: string): boolean => /\/v\d+\w*\/?$/.test(baseUrl)

/** The error in a response with a success status that is not a reply; undefined if its beginning may be a reply. */
export const errorInBody = (
  { head, response }: HttpExchange,
  server: Pick<ServerOptions, "baseUrl" | "id">,
  model: string,
): ProviderError | undefined => {
  const apiError = parseErrorField(head)
  if (apiError !== undefined) return addHint(fromApiError({ error: apiError }), server, model)
  const type = response?.headers.get("content-type") ?? ""
  const message = /html|text\/plain/.test(type) ? messageInBody(head) : undefined
  if (message === undefined) return undefined
  const { baseUrl = "" } = server
  const hint = isVersioned(baseUrl) ? "" : `; ${addressHint(baseUrl)}`
  return { ...unreadableReply, message: `${unreadableReply.message} (${message})${hint}` }
}

const parseErrorField = (body: string): unknown => {
  if (!/^\s*\{\s*"error"\s*:/.test(body)) return undefined
  try {
    return (JSON.parse(body) as { readonly error?: unknown }).error ?? undefined
  } catch {
    return undefined
  }
}

/** The phrases of Ollama, llama.cpp (without a template for tools) and vLLM (without a parser of calls). */
const lacksTools = (message: string): boolean =>
  /does not support tools|tools param requires|tool choice requires/i.test(message)

/** The phrases of OpenAI, Ollama, vLLM and LM Studio. */
const isMissingModel = (message: string): boolean =>
  /model\b.{0,120}(not found|does not exist|not exist|no such)|(failed to load|no such|unknown|invalid) model|no models? loaded/i.test(
    message,
  )
