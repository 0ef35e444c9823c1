/** The names that the package exports. */
import { expect, it } from "vitest"
import * as provider from "./index.ts"

it("@planloom/provider-effect exports exactly these names", () => {
  expect(Object.keys(provider).toSorted()).toMatchInlineSnapshot(`
    [
      "fromLanguageModel",
      "languageModelLayer",
      "toLanguageModel",
    ]
  `)
})
