/** Schema of the plugin's config. */
import * as Schema from "effect/Schema"

export const config = Schema.Struct({
  /** Folder for built indexes, from the workflow's own; without, each process builds them anew. */
  folder: Schema.optionalKey(Schema.NonEmptyString),
  /** A text file of concepts in place of the English ones, or `none`. */
  thesaurus: Schema.optionalKey(Schema.NonEmptyString),
})

export type Config = typeof config.Type
