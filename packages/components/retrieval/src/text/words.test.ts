/** Splitting of texts into words. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { words } from "./words.ts"

it.each([
  ["Plot a line, please!", ["plot", "a", "line", "please"]],
  [
    "compute_summary_stats detect-anomalies",
    ["compute", "summary", "stats", "detect", "anomalies"],
  ],
  ["getHTTPResponse", ["get", "http", "response", "gethttpresponse"]],
  ["YouTube", ["you", "tube", "youtube"]],
  ["Café à Zürich", ["cafe", "a", "zurich"]],
  ["v2 of h3", ["v2", "of", "h3"]],
  ["获取天气 API", ["获取", "取天", "天气", "api"]],
  ["  …  ", []],
])("words splits %j", (text, expected) => {
  expect(words(text)).toEqual(expected)
})

it("words are the same with and without a following non-ASCII letter", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary-ascii" }), (text) => {
      expect(words(`${text} é`)).toEqual([...words(text), "e"])
    }),
  )
})
