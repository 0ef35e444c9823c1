/** ExactFit accepts only values that the fitter would not change. */
import { expect, it } from "vitest"
import type { Json, Schema } from "../Salvage.ts"
import { ExactFit } from "./ExactFit.ts"
import { SchemaDocument } from "./Schema.ts"

const fits = (value: Json, schema: Schema): boolean =>
  new ExactFit(new SchemaDocument(schema), 1000).fits(value, schema)

const city = { type: "object", properties: { city: { type: "string" } }, required: ["city"] }

it.each<{ value: Json; schema: Schema }>([
  { value: { city: "Oslo" }, schema: city },
  { value: [{ city: "Oslo" }, { city: "" }], schema: { type: "array", items: city } },
  { value: null, schema: { type: ["integer", "null"] } },
  { value: "2024-01-05", schema: { type: "string", format: "date" } },
  { value: "b", schema: { anyOf: [{ type: "number" }, { enum: ["a", "b"] }] } },
  { value: { x: 1 }, schema: { type: "object", additionalProperties: { type: "number" } } },
])("$value fits as it is", ({ value, schema }) => {
  expect(fits(value, schema)).toBe(true)
})

it.each<{ why: string; value: Json; schema: Schema }>([
  { why: "a name may mean another", value: { city: "Oslo", City: "Rome" }, schema: city },
  { why: "a member is missing", value: {}, schema: city },
  { why: "a number is text", value: "1", schema: { type: "number" } },
  {
    why: "a date is written otherwise",
    value: "2024/1/5",
    schema: { format: "date", type: "string" },
  },
  {
    why: "the model was given another value (x-alias)",
    value: "a",
    schema: { enum: ["a"], "x-alias": { a: "b" } },
  },
  {
    why: "the model was given another name (x-alias)",
    value: { a: 1 },
    schema: { type: "object", properties: { a: { type: "number", "x-alias": "b" } } },
  },
])("$why: that is for the fitter", ({ value, schema }) => {
  expect(fits(value, schema)).toBe(false)
})

it("terminates for self-referencing schemas and nested unions", () => {
  expect(fits(1, { anyOf: [{ $ref: "#" }, { anyOf: [{ $ref: "#" }] }] })).toBe(false)
  const pair = { type: "array", items: { $ref: "#" } }
  const deep = JSON.parse(`${"[".repeat(100)}"x"${"]".repeat(100)}`) as Json
  expect(fits(deep, { anyOf: [pair, pair, { type: "number" }] })).toBe(false)
})
