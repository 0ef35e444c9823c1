/** Plugin that registers the embedded index. */
import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { definePlugin, StageFailed } from "@planloom/plugin/effect"
import { requireFolder } from "@planloom/plugin/targets"
import * as Effect from "effect/Effect"
import type { Config } from "./config.ts"
import { embeddedIndex } from "./embedded.ts"
import { readConcepts } from "./text/Thesaurus.ts"

export default definePlugin<Config>({
  id: "retrieval",
  summary: "An embedded hybrid index over tool metadata.",
  config: { schema: async () => (await import("./config.ts")).config, unset: {} },
  provides: { indexes: ["embedded"] },
  setup: ({ folder: given, thesaurus }, host) =>
    Effect.gen(function* () {
      const folder = yield* requireFolder(given, host)
      const concepts = yield* conceptsOf(thesaurus, host.root)
      return {
        indexes: [
          embeddedIndex({
            ...(folder === undefined ? {} : { folder }),
            ...(concepts === undefined ? {} : { thesaurus: concepts }),
          }),
        ],
      }
    }),
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
