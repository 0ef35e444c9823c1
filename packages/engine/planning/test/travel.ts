/** Tools of a travel desk: a domain without tables. */
import type { JsonObject, Tool } from "@planloom/plugin/effect"
import type { PlanTemplate } from "../src/plan/PlanTemplate.ts"

const tool = (
  name: string,
  parts: Partial<Tool> & { readonly properties?: JsonObject; readonly required?: string[] },
): Tool => {
  const { properties = {}, required = [], ...rest } = parts
  return {
    name,
    summary: name,
    capabilities: [],
    inputs: {},
    params: { type: "object", additionalProperties: false, required, properties },
    outputs: [],
    ...rest,
  }
}

const text = { type: "string" } as const

export const tools: ReadonlyArray<Tool> = [
  tool("find_trip", {
    capabilities: ["search"],
    effect: "read",
    inputs: { request: "request" },
    outputs: ["trip"],
    properties: {
      to: text,
      class: { type: "string", enum: ["first", "second"], default: "second" },
    },
  }),
  tool("check_rules", { inputs: { trip: "trip" }, outputs: ["verdict"] }),
  tool("book_trip", {
    capabilities: ["booking"],
    inputs: { trip: "trip", verdict: "verdict?" },
    outputs: ["booking"],
  }),
  tool("send_mail", { inputs: { booking: "booking" }, outputs: ["mail"] }),
  tool("now", { effect: "none", outputs: ["time"] }),
]

export const templates: ReadonlyArray<PlanTemplate> = [
  {
    name: "trip",
    intent: "book a trip",
    match: { tool: ["book_trip"], task: ["*"] },
    tools: ["find_trip", "book_trip"],
    steps: [
      {
        id: "found",
        tool: "find_trip",
        inputs: { request: "source" },
        params: {},
        satisfies: ["task"],
        optional: false,
      },
      {
        id: "mail",
        tool: "send_mail",
        inputs: { booking: "found" },
        params: {},
        satisfies: ["output:mail"],
        optional: true,
      },
    ],
  },
]
