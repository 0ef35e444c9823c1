import { expect, it } from "vitest"
import { stem } from "./stem.ts"

it.each([
  ["photos", "photo"],
  ["charging", "charge"],
  ["databases", "database"],
  ["phrases", "phrase"],
  ["boxes", "box"],
  ["classes", "class"],
  ["cities", "city"],
])("%s has the stem of %s", (one, other) => {
  expect(stem(one)).toBe(stem(other))
})
