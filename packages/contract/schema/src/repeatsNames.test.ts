/** Duplicate names of JSON text are counted outside its strings. */
import { expect, it } from "vitest"
import { repeatsNames } from "./repeatsNames.ts"

it.each([
  ['{"a": 1, "a": 2}', true],
  ['[{"b": {"a": 1 , "a"\n: 2}}]', true],
  ['{"a": 1, "\\u0061": 2}', true],
  ['{"a\\"": 1, "a\\"": 2}', true],
  ['{"__proto__": 1}', false],
  ['{"a": {"a": {"a": 1}}}', false],
  ['{"code": "{\\"a\\": 1, \\"a\\": 2}"}', false],
  ['{"path": "C:\\\\", "b": "\\\\\\": c"}', false],
  ["[]", false],
])("duplicate names of %s: %s", (text, is) => {
  expect(repeatsNames(text, JSON.parse(text))).toBe(is)
})
