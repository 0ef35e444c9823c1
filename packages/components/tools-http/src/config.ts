/** What the plugin's config means: limits, hosts and secrets of requests. */
import { parseDuration } from "@planloom/plugin/duration"
import type { Auth } from "./auth/Auth.ts"
import type { HttpConfig } from "./configSchema.ts"
import { methods } from "./endpoint/Endpoint.ts"
import type { TransportOptions } from "./net/Transport.ts"

const DEFAULT_TIMEOUT = "30s"
const DEFAULT_MAX_BYTES = 5_000_000
const DEFAULT_MAX_REDIRECTS = 5

export const transportOptions = (config: HttpConfig): TransportOptions => ({
  hosts: config.hosts ?? [],
  private: config.private ?? [],
  methods: config.methods ?? methods,
  timeout: parseDuration(config.timeout ?? DEFAULT_TIMEOUT)!,
  maxBytes: config.max_bytes ?? DEFAULT_MAX_BYTES,
  maxRedirects: config.max_redirects ?? DEFAULT_MAX_REDIRECTS,
})

export const authByHost = (config: HttpConfig): ReadonlyMap<string, Auth> =>
  new Map(Object.entries(config.auth ?? {}))
