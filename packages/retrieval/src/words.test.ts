/** What a text's words are. */
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
])("%s", (text, expected) => {
  expect(words(text)).toEqual(expected)
})

it("are the same whether or not a letter beyond ASCII stands behind them", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary-ascii" }), (text) => {
      expect(words(`${text} é`)).toEqual([...words(text), "e"])
    }),
  )
})
