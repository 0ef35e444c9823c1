/** Config schema for Gemini models, in `planloom.yaml`. */
import * as Schema from "effect/Schema"
import { address, count, duration } from "@planloom/provider-kit/config"

export const config = Schema.Struct({
  /** The name of the secret that holds the key. */
  key: Schema.optionalKey(Schema.String),
  base_url: Schema.optionalKey(address),
  timeout: Schema.optionalKey(duration),
  stall: Schema.optionalKey(duration),
  max_reply_bytes: Schema.optionalKey(count),
  /** How JSON is requested; overrides the facts about a model. */
  structured: Schema.optionalKey(Schema.Literals(["native", "tool", "text"])),
  embeddings: Schema.optionalKey(
    Schema.Struct({
      model: Schema.optionalKey(Schema.String),
      dimensions: Schema.optionalKey(count),
    }),
  ),
})

export type Config = typeof config.Type
