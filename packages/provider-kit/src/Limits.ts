/** How long a service may keep silent, how much it may say, and how that is written in a plugin's config. */
import { parseDuration } from "@planloom/plugin/duration"

export interface Limits {
  /** Milliseconds until the first byte of the answer: for a reply in one piece that is the whole of its making. */
  readonly timeout: number
  /** Milliseconds between any two pieces after the first, signs of life included. */
  readonly stall: number
  /** Bytes of a reply, after decompression; of a stream, of what the parts hold. `MAX_REPLY_BYTES` unless given. */
  readonly maxReplyBytes?: number
}

/** Ten minutes, as the official SDKs have it, and two for the gaps. */
export const usualLimits: Limits = { timeout: 600_000, stall: 120_000 }

/** For a `Provider`: the engine holds replies to the same limit. */
export const ownLimit = ({ maxReplyBytes }: Limits): { readonly maxReplyBytes?: number } =>
  maxReplyBytes === undefined ? {} : { maxReplyBytes }

/** Limits as a config has them. */
export const limitsOf = (config: {
  readonly timeout?: string
  readonly stall?: string
  readonly max_reply_bytes?: number
}): Limits => ({
  timeout: parseDuration(config.timeout ?? "") ?? usualLimits.timeout,
  stall: parseDuration(config.stall ?? "") ?? usualLimits.stall,
  ...(config.max_reply_bytes === undefined ? {} : { maxReplyBytes: config.max_reply_bytes }),
})
