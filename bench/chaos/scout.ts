/** Three requests to the market scout, each of which needs two rounds, with real MCP servers in front of a fixture of their APIs. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { definePlugin, type Json, type Provider } from "@planloom/plugin/effect"
import { MarketFixture } from "../../examples/market/fixture/MarketFixture.ts"
import type { Workload } from "./Workload.ts"

const market = await MarketFixture.start()
market.unref()
Object.assign(process.env, market.environment)

const search = (id: string, query: string) => ({
  id,
  tool: "dexscreener.searchPairs",
  params: { query },
})

/** First plans, by the request. Rules add to the first two, a model to the third one. */
const plans: { readonly [message: string]: ReadonlyArray<object> } = {
  "What's moving on Base?": [
    { id: "activity", tool: "base.getDexRouterActivity", params: { router: "uniswap_v3" } },
  ],
  "Is PEPE safe?": [search("pepe", "PEPE")],
  "compare $PEPE and $LUNA": [search("pepe", "PEPE")],
}

const replyTo = (name: string | undefined, request: string): Json => {
  if (name === "reflection")
    return {
      strategy: "extend",
      user_message: "I am looking for the other token, too.",
      modifications: [
        { op: "add", rationale: "it was left out", ...renamed(search("luna", "LUNA")) },
      ],
    }
  const message = Object.keys(plans).find((one) => request.includes(JSON.stringify(one)))!
  return { confidence: 0.9, plan: { steps: plans[message] } } as unknown as Json
}

const renamed = ({ id, ...step }: ReturnType<typeof search>) => ({ step: id, ...step })

/** Replies by what it is asked, not by the order: a process that takes over asks only the rest. */
const provider: Provider = {
  id: "google",
  summary: "Plays a script.",
  generate: ({ messages, output }) =>
    Effect.sync(() => ({
      text: JSON.stringify(replyTo(output?.name, String(messages.at(-1)!.content))),
      reasoning: "",
      toolCalls: [],
      finish: "stop",
      usage: { input: 1, output: 1 },
    })),
}

const google = definePlugin({
  id: "google",
  summary: "A model that plays a script.",
  components: { providers: [provider] },
})

export const workload: Workload = {
  file: join(import.meta.dirname, "../../workflows/market_scout.yaml"),
  options: {
    plugins: {
      "@planloom/stages": async () => (await import("@planloom/stages")).default,
      "@planloom/retrieval": async () => (await import("@planloom/retrieval")).default,
      "@planloom/mcp": async () => (await import("@planloom/mcp")).default,
      "@planloom/provider-google": () => Promise.resolve(google),
    },
  },
  runs: Object.fromEntries(
    Object.keys(plans).map((message, index) => [`scout-${index}`, { message }]),
  ),
}
