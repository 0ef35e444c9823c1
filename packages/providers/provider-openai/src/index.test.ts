/** The names that the package exports. */
import { expect, it } from "vitest"
import * as provider from "./index.ts"

it("@planloom/provider-openai exports exactly these names", () => {
  expect(Object.keys(provider).toSorted()).toMatchInlineSnapshot(`
    [
      "default",
      "embedder",
      "openai",
      "reranker",
    ]
  `)
})
