/** Time and size limits of one request, and how a plugin's config sets them. */
import { parseDuration } from "@planloom/plugin/duration"

export interface Limits {
  /** Milliseconds until the first byte of the response; for a reply that is not streamed, the whole generation. */
  readonly timeout: number
  /** Milliseconds between any two chunks after the first, keep-alive bytes included. */
  readonly stall: number
  /** Bytes of a reply after decompression; of a stream, of the text in its parts. Default: `MAX_REPLY_BYTES`. */
  readonly maxReplyBytes?: number
}

/** Ten minutes until the first byte, as in the official SDKs, and two minutes between chunks. */
export const defaultLimits: Limits = { timeout: 600_000, stall: 120_000 }

/** The size limit as a field of a `Provider`, so that the engine enforces the same one. */
export const replySizeLimit = ({ maxReplyBytes }: Limits): { readonly maxReplyBytes?: number } =>
  maxReplyBytes === undefined ? {} : { maxReplyBytes }

/** Reads the limits of a plugin's config; missing ones take the defaults. */
export const parseLimits = (config: {
  readonly timeout?: string
  readonly stall?: string
  readonly max_reply_bytes?: number
}): Limits => ({
  timeout: parseDuration(config.timeout ?? "") ?? defaultLimits.timeout,
  stall: parseDuration(config.stall ?? "") ?? defaultLimits.stall,
  ...(config.max_reply_bytes === undefined ? {} : { maxReplyBytes: config.max_reply_bytes }),
})
