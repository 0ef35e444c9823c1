/** Options of the provider, read from the plugin's config. */
import type { Host } from "@planloom/plugin/effect"
import { parseLimits, secretKey, type Limits, type SecretKey } from "@planloom/provider-kit"
import type { Config } from "./config.ts"

export interface AnthropicOptions {
  readonly key: SecretKey
  readonly baseUrl: string
  readonly limits: Limits
  readonly maxTokens: number
  readonly apiVersion?: string
  /** Undefined: the request's own form, else native if the schema allows it. */
  readonly structured?: "native" | "tool" | "text"
}

/** Supported by every current model; a workflow's `max_tokens` can raise it. */
const DEFAULT_MAX_TOKENS = 8192

/** The last version of the service that accepts temperature and top-k. */
const LAST_VERSION_WITH_SAMPLING = "2023-06-01"

export const parseOptions = (config: Config, host: Host): AnthropicOptions => ({
  key: secretKey(config.key ?? "ANTHROPIC_API_KEY", host),
  baseUrl: config.base_url ?? "https://api.anthropic.com",
  limits: parseLimits(config),
  maxTokens: config.max_tokens ?? DEFAULT_MAX_TOKENS,
  ...(config.structured === undefined ? {} : { structured: config.structured }),
  ...(config.api_version === undefined ? {} : { apiVersion: config.api_version }),
})

export const acceptsSampling = ({ apiVersion }: AnthropicOptions): boolean =>
  apiVersion !== undefined && apiVersion <= LAST_VERSION_WITH_SAMPLING
