/** Options of the provider, read from the plugin's config. */
import {
  parseLimits,
  secretKey,
  type KeyHost,
  type Limits,
  type SecretKey,
} from "@planloom/provider-kit"
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

const BASE_URL = "https://api.anthropic.com"

const keyOf = ({ key = "ANTHROPIC_API_KEY" }: Config): string => key

/** The key with the address that it would go to. */
export const keyAddress = (config: Config) => ({
  name: keyOf(config),
  given: config.base_url,
  usual: BASE_URL,
})

export const parseOptions = (config: Config, host: KeyHost): AnthropicOptions => ({
  key: secretKey(keyOf(config), host, config.base_url),
  baseUrl: config.base_url ?? BASE_URL,
  limits: parseLimits(config),
  maxTokens: config.max_tokens ?? DEFAULT_MAX_TOKENS,
  ...(config.structured === undefined ? {} : { structured: config.structured }),
  ...(config.api_version === undefined ? {} : { apiVersion: config.api_version }),
})

export const acceptsSampling = ({ apiVersion }: AnthropicOptions): boolean =>
  apiVersion !== undefined && apiVersion <= LAST_VERSION_WITH_SAMPLING
