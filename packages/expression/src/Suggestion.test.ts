/** Did you mean. */
import { expect, it } from "vitest"
import { hint, snakeCase, suggest } from "./Suggestion.ts"

it.each([
  ["confidense", ["confidence", "requirements"], "confidence"],
  ["maxRetries", ["max_retries", "delay"], "max_retries"],
  ["max-retries", ["max_retries", "delay"], "max_retries"],
  ["retires", ["retries", "requires"], "retries"],
  ["desc", ["description", "id"], "description"],
  ["zzz", ["description", "id"], undefined],
  ["x", ["y"], undefined],
  ["", ["a"], undefined],
])("%s among %j is %s", (word, candidates, expected) => {
  expect(suggest(word, candidates)).toBe(expected)
})

it("lists what there is, beside the nearest", () => {
  expect(hint("plna", ["plan", "tools"], "there are")).toBe(
    'did you mean "plan"? there are: plan, tools',
  )
  expect(hint("plna", ["plan"], "there are")).toBe('did you mean "plan"?')
  expect(hint("zzz", ["plan"], "there are")).toBe("there are: plan")
  expect(hint("zzz", [], "there are")).toBeUndefined()
})

it("turns other cases into snake_case", () => {
  expect(["maxRetries", "max-retries", "Max Retries", "max.retries"].map(snakeCase)).toEqual(
    Array.from({ length: 4 }, () => "max_retries"),
  )
})
