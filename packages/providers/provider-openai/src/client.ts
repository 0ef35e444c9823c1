/** Creates the SDK's client for one request. */
import * as Effect from "effect/Effect"
import {
  loadSdk,
  toModelFailed,
  missingKeyMessage,
  type HttpExchange,
} from "@planloom/provider-kit"
import type { ServerOptions } from "./options.ts"

/** Loaded with the first request: it takes a quarter of a second, which other workflows save. */
const sdk = loadSdk("openai", () => import("openai"))

/** The longest delay of a timer in JavaScript. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

/** The missing setting that prevents requests, with its fix; undefined if the server can be called. */
export const configProblem = ({ baseUrl, id, key }: ServerOptions): string | undefined => {
  if (baseUrl === undefined) {
    return `no address is configured: set servers.${id}.base_url in the config of @planloom/provider-openai`
  }
  return key !== undefined && key.value === undefined ? missingKeyMessage(key) : undefined
}

/** Fails without a request if the key or the address is missing. */
export const clientFor = (server: ServerOptions) => {
  const { baseUrl, headers, key } = server
  return (model: string) => {
    const message = configProblem(server)
    if (message !== undefined)
      return Effect.fail(toModelFailed(model, { class: "auth", message, unsent: true }))
    return Effect.map(
      sdk(model),
      ({ OpenAI }) =>
        (exchange: HttpExchange) =>
          // A client holds no connections: Node pools them and keeps them alive.
          new OpenAI({
            apiKey: key?.value ?? "none",
            baseURL: baseUrl ?? null,
            fetch: exchange.fetch,
            maxRetries: 0,
            // The limits are the kit's: the SDK's would also end a reply that is still coming.
            timeout: MAX_TIMEOUT_MS,
            logLevel: "off",
            // Set explicitly: the SDK would read them from environment variables that the workflow has not declared.
            adminAPIKey: null,
            organization: null,
            project: null,
            webhookSecret: null,
            defaultHeaders: { ...headers, ...(key === undefined ? { authorization: null } : {}) },
          }),
    )
  }
}

/** The name of the secret with the key, for failures. */
export const keyOf = ({ key }: ServerOptions): { readonly key?: string } =>
  key === undefined ? {} : { key: key.name }

export const secretsOf = ({ key }: ServerOptions): ReadonlyArray<string> =>
  key?.value === undefined ? [] : [key.value]
