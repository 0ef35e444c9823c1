/** The names that the package exports. */
import { expect, it } from "vitest"
import * as provider from "./index.ts"

it("@planloom/provider-anthropic exports exactly these names", () => {
  expect(Object.keys(provider).toSorted()).toMatchInlineSnapshot(`
    [
      "anthropic",
      "default",
    ]
  `)
})
