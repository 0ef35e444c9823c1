/** Plugin for Gemini models: `use: { plugins: ["@planloom/provider-google"] }`. */
import * as Effect from "effect/Effect"
import { definePlugin } from "@planloom/plugin/effect"
import { config, type Config } from "./config.ts"
import { embedder } from "./embedder.ts"
import { google } from "./google.ts"
import { parseOptions } from "./options.ts"

export default definePlugin<Config>({
  id: "google",
  summary: "Gemini models and embeddings of Google.",
  config,
  provides: { providers: ["google"], embedders: ["google"] },
  setup: (given, host) => {
    const options = parseOptions(given, host)
    return Effect.succeed({ providers: [google(options)], embedders: [embedder(options)] })
  },
})
