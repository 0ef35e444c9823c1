/** The plugin: one folder, and the tools that search it. */
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { definePlugin, StageFailed } from "@planloom/plugin/effect"
import { FilesFailed } from "./FilesFailed.ts"
import { fileTools, listedTools } from "./source.ts"

const Config = Schema.Struct({
  /** The folder that is searched, from the workflow's own. Nothing outside is read. */
  root: Schema.NonEmptyString,
  /** Paths from the root that are left out, such as a program's own files. */
  exclude: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** Folder for the words of PDFs, so that each is read once; without, each process reads them anew. */
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

export default definePlugin({
  id: "tools_files",
  summary: "Search of the files, documents and photos in one folder.",
  config: Config,
  provides: { tools: [{ id: "files", tools: listedTools }] },
  setup: ({ cache, exclude, max_file_bytes: bytes, max_files: files, root }, host) =>
    Effect.tryPromise({
      try: async () => {
        const options = {
          root: resolve(host.root, root),
          ...(exclude === undefined ? {} : { exclude }),
          ...(cache === undefined ? {} : { cache: resolve(host.root, cache) }),
          ...(bytes === undefined ? {} : { bytes }),
          ...(files === undefined ? {} : { files }),
        }
        return { tools: [await fileTools(options)] }
      },
      catch: (error) =>
        new StageFailed({
          class: "invalid_request",
          detail: { path: ["root"] },
          message: error instanceof FilesFailed ? error.message : String(error),
        }),
    }),
})
