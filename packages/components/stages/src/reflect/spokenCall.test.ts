import { describe, expect, it } from "vitest"
import type { JsonObject, Tool } from "@planloom/plugin/effect"
import { spokenCall } from "./spokenCall.ts"

const tool = (name: string, properties: JsonObject, more: Partial<Tool> = {}): Tool => ({
  name,
  summary: "Finds.",
  capabilities: [],
  inputs: {},
  outputs: [],
  params: { type: "object", properties },
  ...more,
})

const tools = [
  tool(
    "search_documents",
    {
      query: { type: "string", role: "query" },
      library: { enum: ["sessions", "speakers"] },
      mode: { enum: ["faceted", "master"] },
      limit: { type: "integer" },
      filter: { type: "object" },
    },
    { result: { type: "object", properties: { library: {} } } },
  ),
  tool("check_token", { address: { type: "string" } }),
  tool("list_pairs", {}, { title: "Pairs" }),
]

describe("a call in words", () => {
  it.each([
    ["search_documents", { query: "fraud rings" }, "“fraud rings”"],
    [
      "search_documents",
      {
        limit: 20,
        mode: "master",
        query: "fraud rings",
        library: "sessions",
        filter: { day: ["Wednesday", "Thursday"] },
      },
      "“fraud rings” (sessions, Wednesday, Thursday)",
    ],
    ["check_token", { address: "0x1" }, "check token: “0x1”"],
    ["check_token", { address: { $from: "pairs", path: "address" } }, "check token"],
    ["list_pairs", {}, "Pairs"],
    ["unknown_tool", { text: "a" }, "unknown tool: “a”"],
  ] as const)("of %s with %j is %s", (name, params, said) => {
    expect(spokenCall({ tool: name, params: params as unknown as JsonObject }, tools)).toBe(said)
  })
})
