/** Plugin that registers the embedded index. */
import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { definePlugin, StageFailed } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { embeddedIndex } from "./embedded.ts"
import { readConcepts } from "./Thesaurus.ts"

const Config = Schema.Struct({
  /** Folder for built indexes, from the workflow's own; without, each process builds them anew. */
  folder: Schema.optionalKey(Schema.NonEmptyString),
  /** A text file of concepts in place of the English ones, or `none`. */
  thesaurus: Schema.optionalKey(Schema.NonEmptyString),
})

export default definePlugin({
  id: "retrieval",
  summary: "An embedded hybrid index over tool metadata.",
  config: Config,
  provides: { indexes: ["embedded"] },
  setup: ({ folder, thesaurus }, { root }) =>
    Effect.map(conceptsOf(thesaurus, root), (concepts) => ({
      indexes: [
        embeddedIndex({
          ...(folder === undefined ? {} : { folder: resolve(root, folder) }),
          ...(concepts === undefined ? {} : { thesaurus: concepts }),
        }),
      ],
    })),
})

const conceptsOf = (thesaurus: string | undefined, root: string) => {
  if (thesaurus === undefined) return Effect.succeed(undefined)
  if (thesaurus === "none") return Effect.succeed([])
  return Effect.tryPromise({
    try: async () => readConcepts(await readFile(resolve(root, thesaurus), "utf8")),
    catch: (error) =>
      new StageFailed({
        class: "invalid_request",
        detail: { path: ["thesaurus"] },
        message: `the thesaurus cannot be read: ${String(error)}`,
      }),
  })
}
