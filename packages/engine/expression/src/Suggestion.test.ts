/** Nearest names and help texts. */
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
])("suggest of %s among %j is %s", (word, candidates, expected) => {
  expect(suggest(word, candidates)).toBe(expected)
})

it("hint lists the candidates after the nearest one", () => {
  expect(hint("plna", ["plan", "tools"], "there are")).toBe(
    'did you mean "plan"? there are: plan, tools',
  )
  expect(hint("plna", ["plan"], "there are")).toBe('did you mean "plan"?')
  expect(hint("zzz", ["plan"], "there are")).toBe("there are: plan")
  expect(hint("zzz", [], "there are")).toBeUndefined()
})

it("snakeCase converts other cases", () => {
  expect(["maxRetries", "max-retries", "Max Retries", "max.retries"].map(snakeCase)).toEqual(
    Array.from({ length: 4 }, () => "max_retries"),
  )
})
