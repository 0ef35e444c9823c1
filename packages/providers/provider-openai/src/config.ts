/** Config schema for servers with OpenAI's protocol, in `planloom.yaml`. */
import * as Schema from "effect/Schema"
import { address, count, duration } from "@planloom/provider-kit/config"
import { reasoningFields } from "./reasoning.ts"
import { apiNames, serverIds } from "./servers.ts"
import { settings, structuredModes } from "./Setting.ts"

const extra = Schema.Record(Schema.String, Schema.Json)
const refused = Schema.Array(Schema.Literals(settings))
const modes = Schema.Array(Schema.Literals(structuredModes))

const api = Schema.optionalKey(Schema.Literals(apiNames))

/** Of Ollama's own API: the context length, and how long a model stays loaded (`30m`, or seconds; -1 without end). */
const ollama = {
  num_ctx: Schema.optionalKey(count),
  keep_alive: Schema.optionalKey(Schema.Union([Schema.String, Schema.Int])),
}

const server = Schema.Struct({
  ...ollama,
  base_url: Schema.optionalKey(address),
  /** The name of the secret that holds the key. */
  key: Schema.optionalKey(Schema.String),
  timeout: Schema.optionalKey(duration),
  stall: Schema.optionalKey(duration),
  max_reply_bytes: Schema.optionalKey(count),
  /** The API that requests go to; by default the one that the model needs. */
  api,
  /** Modes of requesting JSON, best first. */
  structured: Schema.optionalKey(modes),
  max_tokens_field: Schema.optionalKey(Schema.Literals(["max_tokens", "max_completion_tokens"])),
  /** Field that the server reads the level of reasoning from. */
  reasoning_field: Schema.optionalKey(Schema.Literals(reasoningFields)),
  /** Settings the server refuses, omitted from requests. */
  omit: Schema.optionalKey(refused),
  cache_marks: Schema.optionalKey(Schema.Boolean),
  /** Server-specific fields of every request, such as `keep_alive`. */
  body: Schema.optionalKey(extra),
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  /** Models to load together with the workflow, so that a local server answers the first request at once. */
  warm: Schema.optionalKey(Schema.Array(Schema.String)),
  /** By prefix of a model's name; the longest match applies. */
  models: Schema.optionalKey(
    Schema.Record(
      Schema.String,
      Schema.Struct({
        ...ollama,
        api,
        structured: Schema.optionalKey(modes),
        omit: Schema.optionalKey(refused),
        body: Schema.optionalKey(extra),
      }),
    ),
  ),
})

export const config = Schema.Struct({
  servers: Schema.optionalKey(
    Schema.Struct(
      Object.fromEntries(serverIds.map((id) => [id, Schema.optionalKey(server)])) as {
        readonly [Id in (typeof serverIds)[number]]: Schema.optionalKey<typeof server>
      },
    ),
  ),
  embeddings: Schema.optionalKey(
    Schema.Struct({
      server: Schema.optionalKey(Schema.Literals(serverIds)),
      model: Schema.optionalKey(Schema.String),
      dimensions: Schema.optionalKey(count),
      /** Whether the service shortens its vectors to `dimensions`. */
      shorten: Schema.optionalKey(Schema.Boolean),
    }),
  ),
  rerank: Schema.optionalKey(
    Schema.Struct({
      server: Schema.Literals(serverIds),
      model: Schema.String,
      /** The shape of its requests and answers; that of Cohere, which most servers have, unless written. */
      api: Schema.optionalKey(Schema.Literals(["cohere", "voyage"])),
    }),
  ),
  /** The service that `moderation` and `moderation_input` ask. */
  moderation: Schema.optionalKey(
    Schema.Struct({
      server: Schema.optionalKey(Schema.Literals(serverIds)),
      model: Schema.optionalKey(Schema.String),
    }),
  ),
})

export type ServerConfig = typeof server.Type
export type Config = typeof config.Type
