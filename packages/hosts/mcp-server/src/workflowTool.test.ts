/** The schemas of a workflow's tool. */
import { describe, expect, it } from "vitest"
import type { JsonSchema } from "@planloom/plugin/effect"
import { lightValidator } from "@planloom/schema"
import { startBody, workflowTool } from "./workflowTool.ts"

const workflow = (inputs: JsonSchema, more: object = {}) => ({
  name: "w",
  inputs,
  outputs: { type: "object", properties: {} } as JsonSchema,
  ...more,
})

const inputs = (properties: { readonly [name: string]: JsonSchema }) =>
  ({ type: "object", properties, required: [], additionalProperties: false }) as JsonSchema

describe("the tool of a workflow", () => {
  it("keeps every keyword of JSON Schema 2020-12 that an input has", () => {
    const contact = JSON.parse(`{
      "$defs": { "address": { "$anchor": "address", "type": "object" } },
      "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
      "if": { "properties": { "by": { "const": "phone" } } },
      "then": { "required": ["phone"] },
      "else": { "required": ["email"] },
      "unevaluatedProperties": false,
      "prefixItems": [{ "type": "string" }]
    }`) as JsonSchema
    expect(workflowTool(workflow(inputs({ contact }))).inputSchema).toMatchObject({
      type: "object",
      properties: { contact },
      additionalProperties: false,
    })
  })

  it("finds what references of an output point to", () => {
    const outputs = {
      type: "object",
      properties: { tree: { $ref: "#/properties/leaf" }, leaf: { type: "integer" } },
    } as JsonSchema
    const { outputSchema } = workflowTool(workflow(inputs({}), { outputs }))
    const validate = lightValidator(outputSchema as JsonSchema)!
    const result = (tree: unknown) =>
      ({ run: "r", status: "succeeded", outputs: { tree } }) as never
    expect(validate(result(7))).toEqual([])
    expect(validate(result("seven"))).not.toEqual([])
  })

  it("takes a session for a workflow with sessions, unless an input has that name", () => {
    const taking = workflow(inputs({ who: { type: "string" } }), { session: true })
    expect(Object.keys(workflowTool(taking).inputSchema.properties!)).toEqual(["who", "session"])
    const given = { who: "Ada", session: "talk" }
    expect(startBody(taking, given)).toEqual({ inputs: { who: "Ada" }, session: "talk" })
    for (const other of [
      workflow(inputs({ who: { type: "string" } })),
      workflow(inputs({ session: { type: "integer" } }), { session: true }),
    ]) {
      expect(workflowTool(other).inputSchema).toEqual(other.inputs)
      expect(startBody(other, given)).toEqual({ inputs: given })
    }
  })

  it("has a description, also if the workflow has none", () => {
    expect(workflowTool(workflow(inputs({}))).description).toBe("Runs the workflow w.")
    const described = workflow(inputs({}), { description: "Greets." })
    expect(workflowTool(described).description).toBe("Greets.")
  })
})
