/** Plugin for servers with OpenAI's protocol: `use: { plugins: ["@planloom/provider-openai"] }`. */
import * as Effect from "effect/Effect"
import { definePlugin } from "@planloom/plugin/effect"
import { guardKeys } from "@planloom/provider-kit"
import type { Config } from "./config.ts"
import { embedder } from "./embedder.ts"
import { moderationSubagents } from "./moderation.ts"
import { openai } from "./openai.ts"
import {
  embeddingOptions,
  keyAddresses,
  moderationOptions,
  rerankOptions,
  serverOptions,
} from "./options.ts"
import { reranker } from "./reranker.ts"
import { serverIds } from "./servers.ts"

export default definePlugin<Config>({
  id: "openai",
  summary: "Models of OpenAI and of every server that speaks its protocol.",
  config: { schema: async () => (await import("./config.ts")).config, unset: {} },
  provides: {
    providers: serverIds,
    embedders: ["openai"],
    rerankers: ["openai"],
    subagents: moderationSubagents(undefined),
  },
  setup: (given, asked) =>
    Effect.gen(function* () {
      const host = yield* guardKeys(asked, keyAddresses(given))
      const servers = serverIds.map((id) => serverOptions(id, given, host))
      const providers = servers.map(openai)
      for (const [index, { warm }] of servers.entries()) {
        // In the background; the request that needs the model reports any failure.
        for (const model of warm) {
          yield* Effect.forkScoped(Effect.ignore(providers[index]!.load(model)))
        }
      }
      return {
        providers,
        embedders: [embedder(embeddingOptions(given, host))],
        rerankers: [reranker(rerankOptions(given, host))],
        subagents: moderationSubagents(moderationOptions(given, host)),
      }
    }),
})
