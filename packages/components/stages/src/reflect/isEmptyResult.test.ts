import { expect, it } from "vitest"
import { isEmptyResult } from "./isEmptyResult.ts"

it.each([
  [null, true],
  [[], true],
  [[[], []], true],
  [{ found: 0, items: [] }, true],
  [{ found: 1, items: [] }, false],
  [{ honeypot: false, risk: "low", warnings: [] }, false],
  [{ items: [1], notes: [] }, false],
  [{ found: false, text: "Nothing is found.", near: ["x"] }, true],
  [{ found: true, passages: [], text: "" }, false],
  [{}, false],
  ["", false],
  [0, false],
  [[0], false],
])("%j is empty: %s", (result, isEmpty) => {
  expect(isEmptyResult(result)).toBe(isEmpty)
})
