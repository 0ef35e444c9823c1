/** What a project may say about Claude models, in `planloom.yaml`. */
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
  /** For requests that name no limit: the service wants one. */
  max_tokens: Schema.optionalKey(count),
  /** Of the service. `2023-06-01` is the last that knows temperature and top-k. */
  api_version: Schema.optionalKey(Schema.String),
  /** How JSON is asked for. */
  structured: Schema.optionalKey(Schema.Literals(["native", "tool", "text"])),
  /** Tokens the model may think for, or `adaptive`: as long as it likes. */
  thinking: Schema.optionalKey(Schema.Union([Schema.Literal("adaptive"), count])),
})

export type Config = typeof config.Type
