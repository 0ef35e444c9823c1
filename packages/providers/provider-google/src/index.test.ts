/** The names that the package exports. */
import { expect, it } from "vitest"
import * as provider from "./index.ts"

it("@planloom/provider-google exports exactly these names", () => {
  expect(Object.keys(provider).toSorted()).toMatchInlineSnapshot(`
    [
      "default",
      "embedder",
      "google",
    ]
  `)
})
