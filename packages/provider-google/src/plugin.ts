/** Plugin for Gemini models: `use: { plugins: ["@planloom/provider-google"] }`. */
import * as Effect from "effect/Effect"
import { definePlugin } from "@planloom/plugin/effect"
import type { Config } from "./config.ts"
import { embedder } from "./embedder.ts"
import { google } from "./google.ts"
import { parseOptions } from "./options.ts"

export default definePlugin<Config>({
  id: "google",
  summary: "Gemini models and embeddings of Google.",
  config: { schema: async () => (await import("./config.ts")).config, unset: {} },
  provides: { providers: ["google"], embedders: ["google"] },
  setup: (given, host) => {
    const options = parseOptions(given, host)
    return Effect.succeed({ providers: [google(options)], embedders: [embedder(options)] })
  },
})
