/** Tools of a market, of which results and words are declared, and steps that call them: for tests of plans. */
import type { Tool } from "@planloom/plugin/effect"

const tool = (name: string, more: Partial<Tool>): Tool => ({
  name,
  summary: `Does ${name}.`,
  capabilities: [],
  inputs: {},
  outputs: [],
  effect: "read",
  params: { type: "object", properties: {} },
  ...more,
})

export const marketTools: ReadonlyArray<Tool> = [
  tool("router_activity", {
    summary: "Lists the newest swaps of a router.",
    keywords: ["activity", "swap", "move"],
    group: "activity",
    params: {
      type: "object",
      additionalProperties: false,
      required: ["router"],
      properties: {
        router: { type: "string", enum: ["uniswap_v3", "sushi_v2"] },
        minutes: { type: "integer", minimum: 1, maximum: 1440 },
      },
    },
    words: { router: { uniswap_v3: ["uniswap", "uni v3"], sushi_v2: ["sushi"] } },
    result: {
      type: "array",
      items: {
        type: "object",
        required: ["token"],
        properties: {
          token: {
            type: "object",
            required: ["symbol", "address"],
            properties: { symbol: { type: "string" }, address: { type: "string" } },
          },
        },
      },
    },
  }),
  tool("find_pairs", {
    summary: "Finds pairs of a token.",
    keywords: ["pair", "price", "token"],
    group: "pairs",
    params: {
      type: "object",
      additionalProperties: false,
      required: ["token"],
      properties: { token: { type: "string" } },
    },
    result: {
      type: "array",
      items: { type: "object", properties: { price: { type: "number" } } },
    },
  }),
  tool("get_transaction", {
    summary: "Gets a transaction by its hash.",
    keywords: ["transaction", "tx", "analyze"],
    group: "activity",
    params: {
      type: "object",
      additionalProperties: false,
      required: ["hash"],
      properties: { hash: { type: "string", pattern: "^0x[0-9a-f]{8}$" } },
    },
  }),
]

/** A step that lists swaps. */
export const activity = {
  id: "activity",
  tool: "router_activity",
  params: { router: "uniswap_v3" },
}

/** A step for the pairs of each swap. */
export const pairs = {
  id: "pairs",
  tool: "find_pairs",
  params: { token: { $from: "swap", path: "token.symbol" } },
  each: { over: { $from: "activity" }, as: "swap", limit: 3 },
}
