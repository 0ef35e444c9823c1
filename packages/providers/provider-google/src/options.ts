/** Options of provider and embedder, read from the plugin's config. */
import {
  parseLimits,
  secretKey,
  type KeyHost,
  type Limits,
  type SecretKey,
} from "@planloom/provider-kit"
import type { Config } from "./config.ts"

export interface GoogleOptions {
  readonly key: SecretKey
  readonly baseUrl: string
  readonly limits: Limits
  /** Undefined: the request's own form, else native. */
  readonly structured?: "native" | "tool" | "text"
  readonly embeddings: { readonly model: string; readonly dimensions: number }
}

const BASE_URL = "https://generativelanguage.googleapis.com"

const keyOf = ({ key = "GEMINI_API_KEY" }: Config): string => key

/** The key with the address that it would go to. */
export const keyAddress = (config: Config) => ({
  name: keyOf(config),
  given: config.base_url,
  usual: BASE_URL,
})

export const parseOptions = (config: Config, host: KeyHost): GoogleOptions => ({
  key: secretKey(keyOf(config), host, config.base_url),
  baseUrl: config.base_url ?? BASE_URL,
  limits: parseLimits(config),
  embeddings: {
    model: config.embeddings?.model ?? "gemini-embedding-001",
    dimensions: config.embeddings?.dimensions ?? 768,
  },
  ...(config.structured === undefined ? {} : { structured: config.structured }),
})
