/** Plugin for Gemini models: `use: { plugins: ["@planloom/provider-google"] }`. */
import * as Effect from "effect/Effect"
import { definePlugin } from "@planloom/plugin/effect"
import type { Config } from "./config.ts"
import { embedder } from "./embedder.ts"
import { google } from "./google.ts"
import { guardKeys } from "@planloom/provider-kit"
import { keyAddress, parseOptions } from "./options.ts"

export default definePlugin<Config>({
  id: "google",
  summary: "Gemini models and embeddings of Google.",
  config: { schema: async () => (await import("./config.ts")).config, unset: {} },
  provides: { providers: ["google"], embedders: ["google"] },
  setup: (given, host) =>
    Effect.map(guardKeys(host, [keyAddress(given)]), (guarded) => {
      const options = parseOptions(given, guarded)
      return { providers: [google(options)], embedders: [embedder(options)] }
    }),
})
