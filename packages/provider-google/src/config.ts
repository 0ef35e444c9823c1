/** What a project may say about Gemini models, in `planloom.yaml`. */
import * as Schema from "effect/Schema"
import { durationPattern } from "@planloom/plugin/duration"
import { addressFault } from "@planloom/provider-kit"

const address = Schema.String.check(Schema.makeFilter(addressFault))
const duration = Schema.String.check(
  Schema.isPattern(new RegExp(durationPattern), { expected: "a duration such as 90s" }),
)
const count = Schema.Int.check(Schema.isGreaterThan(0))

export const config = Schema.Struct({
  /** The name of the secret that holds the key. */
  key: Schema.optionalKey(Schema.String),
  base_url: Schema.optionalKey(address),
  timeout: Schema.optionalKey(duration),
  stall: Schema.optionalKey(duration),
  max_reply_bytes: Schema.optionalKey(count),
  /** How JSON is asked for, whatever a model's facts say. */
  structured: Schema.optionalKey(Schema.Literals(["native", "tool", "text"])),
  /** Tokens the model may think for: 0 for none, -1 for as many as it likes. Its thoughts are then told. */
  thinking: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(-2))),
  embeddings: Schema.optionalKey(
    Schema.Struct({
      model: Schema.optionalKey(Schema.String),
      dimensions: Schema.optionalKey(count),
    }),
  ),
})

export type Config = typeof config.Type
