/** Options of provider and embedder, read from the plugin's config. */
import type { Host } from "@planloom/plugin/effect"
import { parseLimits, secretKey, type Limits, type SecretKey } from "@planloom/provider-kit"
import type { Config } from "./config.ts"

export interface GoogleOptions {
  readonly key: SecretKey
  readonly baseUrl: string
  readonly limits: Limits
  /** Undefined: the request's own form, else native. */
  readonly structured?: "native" | "tool" | "text"
  readonly embeddings: { readonly model: string; readonly dimensions: number }
}

export const parseOptions = (config: Config, host: Host): GoogleOptions => ({
  key: secretKey(config.key ?? "GEMINI_API_KEY", host),
  baseUrl: config.base_url ?? "https://generativelanguage.googleapis.com",
  limits: parseLimits(config),
  embeddings: {
    model: config.embeddings?.model ?? "gemini-embedding-001",
    dimensions: config.embeddings?.dimensions ?? 768,
  },
  ...(config.structured === undefined ? {} : { structured: config.structured }),
})
