/** Duplicate names of JSON text are noticed from its value, without a parser. */
import { expect, it } from "vitest"
import { mayRepeatNames } from "./mayRepeatNames.ts"

it.each([
  ['{"a": 1, "a": 2}', true],
  ['[{"b": {"a": 1 , "a" : 2}}]', true],
  ['{"a": {"a": {"a": 1}}}', false],
  ['{"a:": "b: c", "b": ["x:"]}', false],
])("duplicate names of %s: %s", (text, is) => {
  expect(mayRepeatNames(text, JSON.parse(text))).toBe(is)
})
