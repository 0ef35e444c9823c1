/** The SDK's client for one request. */
import * as Effect from "effect/Effect"
import { failureOf, missingKey, type Wire } from "@planloom/provider-kit"
import type { ServerOptions } from "./options.ts"

/** Loaded with the first call: a quarter of a second that a workflow without it need not spend. */
const sdk = Effect.promise(() => import("openai"))

/** Why nobody can be asked; undefined where somebody can. */
export const unready = ({ baseUrl, id, key }: ServerOptions): string | undefined => {
  if (baseUrl === undefined) {
    return `nobody has said where it is: set servers.${id}.base_url in the config of @planloom/provider-openai`
  }
  return key !== undefined && key.value === undefined ? missingKey(key) : undefined
}

/** Fails before anybody is asked where the key or the address is missing. */
export const clientFor = (server: ServerOptions) => {
  const { baseUrl, headers, key, limits } = server
  return (model: string) => {
    const message = unready(server)
    if (message !== undefined)
      return Effect.fail(failureOf(model, { class: "auth", message, unsent: true }))
    return Effect.map(
      sdk,
      ({ OpenAI }) =>
        (wire: Wire) =>
          // An object and no connection: connections are Node's, and kept alive there.
          new OpenAI({
            apiKey: key?.value ?? "none",
            baseURL: baseUrl ?? null,
            fetch: wire.fetch,
            maxRetries: 0,
            timeout: limits.timeout + limits.stall,
            logLevel: "off",
            // Said outright, for the SDK would read them from the environment, which the workflow has not declared.
            adminAPIKey: null,
            organization: null,
            project: null,
            webhookSecret: null,
            defaultHeaders: { ...headers, ...(key === undefined ? { authorization: null } : {}) },
          }),
    )
  }
}

/** The name of the secret that is sent, for failures. */
export const keyOf = ({ key }: ServerOptions): { readonly key?: string } =>
  key === undefined ? {} : { key: key.name }

export const secretsOf = ({ key }: ServerOptions): ReadonlyArray<string> =>
  key?.value === undefined ? [] : [key.value]
