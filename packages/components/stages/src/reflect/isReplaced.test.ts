import { describe, expect, it } from "vitest"
import { isReplaced } from "./isReplaced.ts"

const tools = ["pairs", "overview", "check"].map((name) => ({
  name,
  params: { type: "object", required: ["token"], properties: { token: {}, chain: {} } },
}))
const wishes = {
  price: { words: { en: ["price"] }, tools: ["pairs", "overview"] },
  liquidity: { words: { en: ["liquidity"] }, tools: ["pairs"] },
  safety: { words: { en: ["safe"] }, tools: ["check"] },
}
const call = (tool: string, ok: boolean, token = "A1", more = {}) => ({
  tool,
  ok,
  params: { token, chain: "base" },
  ...more,
})

describe("a call that failed", () => {
  it.each([
    ["the price of a1", [call("overview", true)], true],
    ["the price of a1", [call("overview", true, "a1")], true],
    ["the price of a1", [call("overview", false)], false],
    ["the price of a1 and b2", [call("overview", true, "b2")], false],
    ["price and liquidity of a1", [call("overview", true)], false],
    ["is a1 safe", [call("check", true)], false],
    ["what is a1", [call("overview", true)], false],
    [
      "the price of PEPE",
      [call("overview", true, "PEPE", { entities: [{ type: "token", id: "a1", name: "PEPE" }] })],
      true,
    ],
  ])("for %j beside %j is replaced: %s", (request, others, replaced) => {
    const failed = call("pairs", false)
    expect(isReplaced(failed, [failed, ...others], wishes, request, tools)).toBe(replaced)
  })
})
