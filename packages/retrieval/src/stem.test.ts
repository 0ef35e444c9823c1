/** Which words count as one. */
import { expect, it } from "vitest"
import { stem } from "./stem.ts"

it.each([
  [["calculate", "calculates", "calculated", "calculating", "calculation", "calculator"]],
  [["plan", "planned", "planning", "planner"]],
  [["city", "cities"]],
  [["week", "weeks", "weekly"]],
  [["country", "countries"]],
  [["visualize", "visualization", "visualizing"]],
  [["box", "boxes"]],
])("%s are one", (together) => {
  expect(new Set(together.map(stem)).size).toBe(1)
})

it.each([
  ["news", "new"],
  ["address", "add"],
  ["status", "state"],
])("%s is not %s", (one, other) => {
  expect(stem(one)).not.toBe(stem(other))
})

it("leaves short words, and words with digits, as they are", () => {
  expect(["is", "bus", "h3s", "ids"].map(stem)).toEqual(["is", "bus", "h3s", "ids"])
})
