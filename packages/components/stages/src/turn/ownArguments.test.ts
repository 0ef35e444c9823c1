import { expect, it } from "vitest"
import type { JsonObject, Tool } from "@planloom/plugin/effect"
import { ownArguments } from "./ownArguments.ts"

const tool = (name: string): Tool => ({
  name,
  summary: name,
  capabilities: [],
  inputs: {},
  outputs: [],
  params: {
    type: "object",
    required: ["state"],
    properties: { state: { enum: ["on", "off", "flip"] }, delay: { type: "boolean" } },
  },
})

it.each<[string, JsonObject, JsonObject]>([
  ["its own name", { state: "flip", delay: true }, { state: "flip", delay: true }],
  ["the name of its tool before it", { wifi_state: false }, { state: "off" }],
  ["both names", { state: "on", wifi_state: false }, { state: "on" }],
  ["two names of its tool", { wifi_state: false, toggle_wifi_state: true }, {}],
  ["the name of another tool", { bluetooth_state: true }, {}],
  ["another name", { package_name: "gallery", restate: true }, {}],
])("an argument with %s is read for toggle_wifi", (_, given, expected) => {
  expect(ownArguments(tool("toggle_wifi"), given)).toEqual(expected)
})

it("arguments of two tools are read for each", () => {
  const given = { wifi_state: false, bluetooth_state: true }
  expect(
    ["toggle_wifi", "toggle_bluetooth"].map((name) => ownArguments(tool(name), given)),
  ).toEqual([{ state: "off" }, { state: "on" }])
})
