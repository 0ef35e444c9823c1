/** Plugin for Claude models: `use: { plugins: ["@planloom/provider-anthropic"] }`. */
import * as Effect from "effect/Effect"
import { definePlugin } from "@planloom/plugin/effect"
import { anthropic } from "./anthropic.ts"
import type { Config } from "./config.ts"
import { guardKeys } from "@planloom/provider-kit"
import { keyAddress, parseOptions } from "./options.ts"

export default definePlugin<Config>({
  id: "anthropic",
  summary: "Claude models of Anthropic.",
  config: { schema: async () => (await import("./config.ts")).config, unset: {} },
  provides: { providers: ["anthropic"] },
  setup: (given, host) =>
    Effect.map(guardKeys(host, [keyAddress(given)]), (guarded) => ({
      providers: [anthropic(parseOptions(given, guarded))],
    })),
})
