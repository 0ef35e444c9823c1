/** Which requests can return JSON through an answer tool, and its name. */
import { expect, it } from "vitest"
import type { JsonSchema, ModelRequest } from "@planloom/plugin/effect"
import { answerTool } from "./answerTool.ts"

const requestFor = (
  name: string,
  schema: JsonSchema,
  more: Partial<ModelRequest> = {},
): ModelRequest => ({
  model: "small",
  system: [],
  messages: [],
  output: { name, schema },
  ...more,
})

it("the answer tool's name uses only characters that every service accepts", () => {
  expect(answerTool(requestFor("the count", { type: "object" }))?.name).toBe("the_count")
  expect(answerTool(requestFor("3 best", { type: "object" }))?.name).toBe("_3_best")
  expect(answerTool(requestFor("é".repeat(90), { type: "object" }))?.name).toBe("_".repeat(64))
})

it("a request has no answer tool without an object schema, or if it offers other tools", () => {
  const tools = [{ name: "top", description: "Best.", parameters: { type: "object" } }]
  expect(answerTool(requestFor("n", { type: "array" }))).toBeUndefined()
  expect(answerTool(requestFor("n", true))).toBeUndefined()
  expect(answerTool(requestFor("n", { type: "object" }, { tools }))).toBeUndefined()
  expect(answerTool({ model: "small", system: [], messages: [] })).toBeUndefined()
})
