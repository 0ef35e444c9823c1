/** Schema of the plugin's config. */
import * as Schema from "effect/Schema"

export const config = Schema.Struct({
  /** Path of the database, relative to the project file. */
  file: Schema.optionalKey(Schema.NonEmptyString),
})
