/** Plugin that registers the index `faiss`. */
import * as Effect from "effect/Effect"
import { definePlugin } from "@planloom/plugin/effect"
import { requireFolder } from "@planloom/plugin/targets"
import type { Config } from "./config.ts"
import { faissIndex } from "./faiss.ts"

export default definePlugin<Config>({
  id: "retrieval-faiss",
  summary: "A search index whose vectors are in FAISS.",
  config: { schema: async () => (await import("./config.ts")).config, unset: {} },
  provides: { indexes: ["faiss"] },
  setup: ({ folder: given, kind }, host) =>
    Effect.map(requireFolder(given, host), (folder) => ({
      indexes: [
        faissIndex({
          ...(kind !== undefined && { kind }),
          ...(folder !== undefined && { folder }),
        }),
      ],
    })),
})
