/** Arguments of a tool call as services send them: text that should be one JSON object. */
import { expect, it } from "vitest"
import { parseToolArguments } from "./parseToolArguments.ts"

it.each([
  ["", {}],
  [' {"a": 1} ', { a: 1 }],
  ["[1]", undefined],
  ['{"a": ', undefined],
])("the arguments %j are %j", (text, expected) => {
  expect(parseToolArguments(text)).toEqual(expected)
})

it.each(['{"limit": 1, "limit": 100}', '{"where": [{"a": 1, "a" : 2}]}', '{"a": 1, "\\u0061": 2}'])(
  "the arguments %s with a duplicate name are refused",
  (text) => {
    expect(parseToolArguments(text)).toBeUndefined()
  },
)

it("JSON text inside the arguments is no duplicate name", () => {
  const given = { code: '{"a": 1, "a": 2}', path: 'C:\\"x\\": y' }
  expect(parseToolArguments(JSON.stringify(given))).toEqual(given)
})
