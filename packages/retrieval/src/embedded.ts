/** The embedded index as a plugin component: no network, native code or setup. */
import type { Index } from "@planloom/plugin"
import * as Effect from "effect/Effect"
import { EmbeddedIndex } from "./EmbeddedIndex.ts"

export const embedded: Index = {
  id: "embedded",
  summary: "Finds tools by words, concepts and character grams; in memory, nothing to install.",
  build: (documents) =>
    Effect.sync(() => {
      const index = new EmbeddedIndex(documents)
      return {
        search: (query, options) => Effect.sync(() => index.search(query, options)),
        add: (more) => Effect.sync(() => index.add(more)),
        remove: (ids) => Effect.sync(() => index.remove(ids)),
        size: () => index.size,
      }
    }),
}
