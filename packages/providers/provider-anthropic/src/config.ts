/** Config schema for Claude models, in `planloom.yaml`. */
import * as Schema from "effect/Schema"
import { address, count, duration } from "@planloom/provider-kit/config"

export const config = Schema.Struct({
  /** The name of the secret that holds the key. */
  key: Schema.optionalKey(Schema.String),
  base_url: Schema.optionalKey(address),
  timeout: Schema.optionalKey(duration),
  stall: Schema.optionalKey(duration),
  max_reply_bytes: Schema.optionalKey(count),
  /** Default for requests without a limit: the service requires one. */
  max_tokens: Schema.optionalKey(count),
  /** Version of the service; `2023-06-01` is the last that accepts temperature and top-k. */
  api_version: Schema.optionalKey(Schema.String),
  /** How JSON is requested. */
  structured: Schema.optionalKey(Schema.Literals(["native", "tool", "text"])),
})

export type Config = typeof config.Type
