/** Schema of the plugin's config. */
import * as Schema from "effect/Schema"

export const config = Schema.Struct({
  /** The folder that is searched, from the workflow's own. Nothing outside is read. */
  root: Schema.NonEmptyString,
  /** Paths from the root that are left out, such as a program's own files. */
  exclude: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** Folder for the words of PDFs and office documents, so that each is read once; without, each process reads them anew. */
  cache: Schema.optionalKey(Schema.NonEmptyString),
  /** Files looked at in one search. */
  max_files: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })),
  ),
  /** Bytes read of each file. */
  max_file_bytes: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 256, maximum: 1_048_576 })),
  ),
})

export type Config = typeof config.Type
