/** Three requests to the market scout, each of which needs two rounds, with real MCP servers in front of a fixture of their APIs. */
import { join } from "node:path"
import { MarketFixture } from "../../examples/market/fixture/MarketFixture.ts"
import google, { plans } from "./scoutModel.ts"
import type { Workload } from "./Workload.ts"

const market = await MarketFixture.start()
market.unref()
Object.assign(process.env, market.environment)

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
