/** What provider and embedder are made from: what is known of a server, and what the project says. */
import type { Host, JsonObject, RequestSetting } from "@planloom/plugin"
import { limitsOf, secretKey, type Limits, type SecretKey } from "@planloom/provider-kit"
import type { Config, ServerConfig } from "./config.ts"
import { knownServers, type CacheMark, type KnownServer, type ServerId } from "./servers.ts"

/** `tool`: as the arguments of a tool that must be called; `none`: nothing is said, the model is asked for text. */
export const structuredModes = ["json_schema", "json_object", "tool", "none"] as const
export type StructuredMode = (typeof structuredModes)[number]

/** Settings of a request that not every server takes. */
export const settings = [
  "temperature",
  "top_k",
  "seed",
  "stop",
  "max_tokens",
  "stream_options",
] as const
export type Setting = (typeof settings)[number]

/** Of those, the ones a workflow may say something of without knowing the server. */
export const isRequestSetting = (setting: Setting): setting is RequestSetting & Setting =>
  setting !== "max_tokens" && setting !== "stream_options"

/** What one model of a server takes. */
export interface ModelSettings {
  readonly structured: ReadonlyArray<StructuredMode>
  /** Whether the project has said so, and not what is known of the server. */
  readonly declared: boolean
  readonly omit: ReadonlyArray<Setting>
  readonly body: JsonObject
  readonly cacheMark: CacheMark | undefined
}

export interface ServerOptions {
  readonly id: string
  readonly summary: string
  /** Undefined where nobody has said it. */
  readonly baseUrl: string | undefined
  /** Undefined where none is needed. */
  readonly key: SecretKey | undefined
  readonly limits: Limits
  readonly maxTokensField: "max_tokens" | "max_completion_tokens"
  readonly headers: { readonly [name: string]: string }
  readonly warm: ReadonlyArray<string>
  readonly model: (name: string) => ModelSettings
}

export interface EmbeddingOptions {
  readonly server: ServerOptions
  readonly model: string
  readonly dimensions: number
  readonly shorten: boolean
}

export const serverOptions = (id: ServerId, config: Config, host: Host): ServerOptions => {
  const known: KnownServer = knownServers[id]
  const given: ServerConfig = config.servers?.[id] ?? {}
  const key = given.key ?? known.key
  return {
    id,
    summary: known.summary,
    baseUrl: given.base_url ?? known.baseUrl,
    key: key === undefined ? undefined : secretKey(key, host),
    limits: limitsOf(given),
    maxTokensField: given.max_tokens_field ?? known.maxTokensField,
    headers: given.headers ?? {},
    warm: given.warm ?? [],
    model: (name) => {
      const told = longest(given.models ?? {}, name)
      const refused = given.omit ?? known.omit
      const declared = told?.structured ?? given.structured
      const knownModel = longest(known.models, name)
      const mark = knownModel?.cacheMark ?? known.cacheMark
      return {
        structured: declared ?? known.structured,
        declared: declared !== undefined,
        omit: [...refused, ...(told?.omit ?? knownModel?.omit ?? [])],
        body: { ...given.body, ...told?.body } as JsonObject,
        cacheMark:
          given.cache_marks === false
            ? undefined
            : (mark ?? (given.cache_marks === true ? "cache_control" : undefined)),
      }
    },
  }
}

export const embeddingOptions = (config: Config, host: Host): EmbeddingOptions => ({
  server: serverOptions(config.embeddings?.server ?? "openai", config, host),
  model: config.embeddings?.model ?? "text-embedding-3-small",
  dimensions: config.embeddings?.dimensions ?? 1536,
  shorten: config.embeddings?.shorten ?? false,
})

/** What stands under the longest beginning of the name. */
const longest = <A>(byPrefix: { readonly [prefix: string]: A }, name: string): A | undefined => {
  const prefixes = Object.keys(byPrefix).filter((prefix) => name.startsWith(prefix))
  const best = prefixes.toSorted((a, b) => b.length - a.length)[0]
  return best === undefined ? undefined : byPrefix[best]
}
