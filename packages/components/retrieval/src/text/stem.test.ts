/** Words with the same stem, and words with different stems. */
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
])("stem gives one stem to %s", (together) => {
  expect(new Set(together.map(stem)).size).toBe(1)
})

it.each([
  ["news", "new"],
  ["address", "add"],
  ["status", "state"],
])("stem gives different stems to %s and %s", (one, other) => {
  expect(stem(one)).not.toBe(stem(other))
})

it("stem leaves short words and words with digits unchanged", () => {
  expect(["is", "bus", "h3s", "ids"].map(stem)).toEqual(["is", "bus", "h3s", "ids"])
})
