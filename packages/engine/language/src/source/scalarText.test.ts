/** Scalars that are written are read back. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Yaml from "yaml"
import { cases } from "../../../../../.config/cases.ts"
import { scalarText } from "./scalarText.ts"
import { yamlOptions } from "./yamlOptions.ts"

const pieces = fc.array(
  fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 3 }),
    fc.constantFrom(
      ": ",
      " #",
      "true",
      "null",
      "1",
      "e5",
      "- ",
      "${{ ",
      " }}",
      "[",
      ",",
      "...",
      " ",
      "\u2028",
      "<<",
    ),
    fc.constantFrom("a", "inputs.a == 1", "name", "é"),
  ),
  { maxLength: 5 },
)

describe("scalarText", () => {
  it.each([false, true])("writes what YAML reads as the same text (in a flow: %s)", (isFlow) => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join("")
        const written = scalarText(text, isFlow)
        const document = Yaml.parseDocument(isFlow ? `[${written}]` : `- ${written}`, yamlOptions)
        assert.deepStrictEqual(document.errors, [])
        assert.deepStrictEqual(document.toJS(), [text])
      }),
      { numRuns: cases(1000) },
    )
  })

  it("leaves names and conditions without quotes", () => {
    for (const text of ["name", "inputs.a == 1", "size(xs) > 2 && !done", "café au lait"]) {
      assert.strictEqual(scalarText(text, false), text)
    }
  })
})
