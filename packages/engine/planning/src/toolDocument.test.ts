import { expect, it } from "vitest"
import type { Tool } from "@planloom/plugin/effect"
import { toolDocument } from "./index.ts"

const flights: Tool = {
  name: "find_flights",
  summary: "Lists flights.",
  capabilities: ["search_flights"],
  inputs: {},
  outputs: [],
  params: {
    type: "object",
    properties: {
      area: {
        type: "object",
        description: "the bounding box",
        properties: { north: { type: "number", description: "upper latitude" } },
      },
      class: { enum: ["economy", "business"] },
      legs: { type: "array", items: { properties: { carrier: { type: "string" } } } },
    },
  },
  group: "travel",
  group_summary: "Flights and hotels.",
  when_to_use: "For trips.",
  keywords: ["plane"],
  words: { class: { business: ["fancy"] } },
  examples: ["fly me to Rome"],
  synonyms: [["flight", "connection"]],
}

it("a tool's document has the texts of its parameters, its group and its catalog", () => {
  expect(toolDocument(flights)).toEqual({
    id: "find_flights",
    fields: {
      name: "find_flights",
      summary: "Lists flights.",
      group: "travel",
      keywords: "search_flights plane fancy",
      params: "area class legs",
      param_texts: "the bounding box north upper latitude economy business carrier",
      group_summary: "Flights and hotels.",
      when_to_use: "For trips.",
    },
    examples: ["fly me to Rome"],
    synonyms: [["flight", "connection"]],
  })
})

it("a tool's document is the same object each time, and leaves out what the tool lacks", () => {
  const bare: Tool = { ...flights, name: "bare", params: true, group: "" }
  expect(toolDocument(bare)).toBe(toolDocument(bare))
  expect(
    toolDocument({
      name: "x",
      summary: "",
      capabilities: [],
      inputs: {},
      outputs: [],
      params: true,
    }),
  ).toEqual({
    id: "x",
    fields: { name: "x" },
  })
})

it("a tool's document reads a schema that contains itself to a bounded depth", () => {
  const node: { description: string; properties: object } = {
    description: "a node",
    properties: {},
  }
  node.properties = { child: node }
  const document = toolDocument({
    ...flights,
    name: "deep",
    params: { properties: { node } } as never,
  })
  expect(document.fields.param_texts).toBe("a node child a node child a node child a node")
})
