/** Schema of the plugin's config. */
import * as Schema from "effect/Schema"

export const config = Schema.Struct({
  /** `flat`, unless given, compares all vectors; `hnsw` follows a graph. */
  kind: Schema.optionalKey(Schema.Literals(["flat", "hnsw"])),
  /** Folder for vectors of documents, from the workflow's own; without, each process embeds them anew. */
  folder: Schema.optionalKey(Schema.NonEmptyString),
})

export type Config = typeof config.Type
