/** Plugin that registers the index `faiss`. */
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import { definePlugin } from "@planloom/plugin/effect"
import type { Config } from "./config.ts"
import { faissIndex } from "./faiss.ts"

export default definePlugin<Config>({
  id: "retrieval-faiss",
  summary: "A search index whose vectors are in FAISS.",
  config: { schema: async () => (await import("./config.ts")).config, unset: {} },
  provides: { indexes: ["faiss"] },
  setup: ({ folder, kind }, { root }) =>
    Effect.succeed({
      indexes: [
        faissIndex({
          ...(kind !== undefined && { kind }),
          ...(folder !== undefined && { folder: resolve(root, folder) }),
        }),
      ],
    }),
})
