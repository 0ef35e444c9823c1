/** Options of provider, embedder, reranker and moderation: the known facts about a server, overridden by the project's config. */
import type { JsonObject } from "@planloom/plugin/effect"
import {
  parseLimits,
  secretKey,
  type KeyHost,
  type Limits,
  type SecretKey,
} from "@planloom/provider-kit"
import type { Config, ServerConfig } from "./config.ts"
import type { MaxEffort, ReasoningField } from "./reasoning.ts"
import type { Setting, StructuredMode } from "./Setting.ts"
import {
  knownServers,
  serverIds,
  type ApiName,
  type CacheMark,
  type KnownServer,
  type ServerId,
} from "./servers.ts"

/** What one model of a server accepts. */
export interface ModelSettings {
  readonly structured: ReadonlyArray<StructuredMode>
  /** Whether `structured` comes from the project's config. */
  readonly declared: boolean
  readonly omit: ReadonlyArray<Setting>
  readonly body: JsonObject
  readonly cacheMark: CacheMark | undefined
  readonly maxEffort: MaxEffort
  readonly api: ApiName
  /** Tokens of prompt and reply that Ollama loads a model for. */
  readonly numCtx: number
  /** How long Ollama keeps a model loaded; undefined for its default. */
  readonly keepAlive: string | number | undefined
  /** Whether it is known to reason. */
  readonly reasons: boolean
}

export interface ServerOptions {
  readonly id: string
  readonly summary: string
  /** Undefined if neither known nor configured. */
  readonly baseUrl: string | undefined
  /** Undefined for a server without a key. */
  readonly key: SecretKey | undefined
  readonly limits: Limits
  readonly maxTokensField: "max_tokens" | "max_completion_tokens"
  /** Whether the service accepts only schemas of objects. */
  readonly objectRoots: boolean
  readonly toolChoice: "named" | "required"
  readonly reasoningField: ReasoningField
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

export interface RerankOptions {
  readonly server: ServerOptions
  readonly model: string
  readonly api: "cohere" | "voyage"
}

export interface ModerationOptions {
  readonly server: ServerOptions
  readonly model: string
}

/** Keys with the addresses that they would go to. */
export const keyAddresses = ({ servers = {} }: Config) =>
  serverIds.map((id) => {
    const known: KnownServer = knownServers[id]
    const { base_url: given, key: name = known.key } = servers[id] ?? {}
    return { name, given, usual: known.baseUrl }
  })

export const serverOptions = (id: ServerId, config: Config, host: KeyHost): ServerOptions => {
  const known: KnownServer = knownServers[id]
  const given: ServerConfig = config.servers?.[id] ?? {}
  const key = given.key ?? known.key
  return {
    id,
    summary: known.summary,
    baseUrl: given.base_url ?? known.baseUrl,
    key: key === undefined ? undefined : secretKey(key, host, given.base_url),
    limits: parseLimits(given),
    maxTokensField: given.max_tokens_field ?? known.maxTokensField,
    objectRoots: known.objectRoots,
    toolChoice: known.toolChoice,
    reasoningField: given.reasoning_field ?? known.reasoningField,
    headers: given.headers ?? {},
    warm: given.warm ?? [],
    model: (name) => {
      const configured = byLongestPrefix(given.models ?? {}, name)
      const omitted = given.omit ?? known.omit
      const declared = configured?.structured ?? given.structured
      const knownModel = byLongestPrefix(known.models, name)
      const api = configured?.api ?? given.api ?? knownModel?.api ?? known.api
      const mark = knownModel?.cacheMark ?? known.cacheMark
      return {
        structured: declared ?? known.structured,
        declared: declared !== undefined,
        omit: [
          ...new Set([
            ...omitted,
            ...(configured?.omit ?? knownModel?.omit ?? []),
            ...(api === "responses" ? missingInResponses : []),
          ]),
        ],
        api,
        numCtx: configured?.num_ctx ?? given.num_ctx ?? DEFAULT_NUM_CTX,
        keepAlive: configured?.keep_alive ?? given.keep_alive,
        reasons: knownModel !== undefined,
        maxEffort: knownModel?.maxEffort ?? known.maxEffort,
        body: { ...given.body, ...configured?.body } as JsonObject,
        cacheMark:
          given.cache_marks === false
            ? undefined
            : (mark ?? (given.cache_marks === true ? "cache_control" : undefined)),
      }
    },
  }
}

export const embeddingOptions = (config: Config, host: KeyHost): EmbeddingOptions => ({
  server: serverOptions(config.embeddings?.server ?? "openai", config, host),
  model: config.embeddings?.model ?? "text-embedding-3-small",
  dimensions: config.embeddings?.dimensions ?? 1536,
  shorten: config.embeddings?.shorten ?? false,
})

/** Undefined unless configured: the services of the known addresses have no model in common. */
export const rerankOptions = (
  { rerank, ...config }: Config,
  host: KeyHost,
): RerankOptions | undefined =>
  rerank && {
    server: serverOptions(rerank.server, config, host),
    model: rerank.model,
    api: rerank.api ?? "cohere",
  }

/** Undefined unless configured: nothing is sent to a service that the project does not name. */
export const moderationOptions = (
  { moderation, ...config }: Config,
  host: KeyHost,
): ModerationOptions | undefined =>
  moderation && {
    server: serverOptions(moderation.server ?? "openai", config, host),
    model: moderation.model ?? "omni-moderation-latest",
  }

/** Enough for prompts of several pages; Ollama's default depends on the memory of the machine. */
const DEFAULT_NUM_CTX = 8192

/** Settings that the Responses API does not have. */
const missingInResponses = ["top_k", "seed", "stop"] as const

/** The entry with the longest prefix of the name. */
const byLongestPrefix = <A>(
  byPrefix: { readonly [prefix: string]: A },
  name: string,
): A | undefined => {
  const prefixes = Object.keys(byPrefix).filter((prefix) => name.startsWith(prefix))
  const best = prefixes.toSorted((a, b) => b.length - a.length)[0]
  return best === undefined ? undefined : byPrefix[best]
}
