/** The likeness of a sentence: the sum of its features, whatever their order in the file. */
import { readFileSync } from "node:fs"
import * as fc from "fast-check"
import { assert, it } from "vitest"
import { cases } from "../../../../.config/cases.ts"
import { featuresOf } from "../src/promises/featuresOf.ts"
import { likenessOf } from "../src/promises/likeness.ts"

const model = JSON.parse(
  readFileSync(new URL("../src/promises/likeness.json", import.meta.url), "utf8"),
) as {
  readonly scale: number
  readonly bias: number
  readonly features: { readonly [weight: string]: string }
}

const weights = new Map(
  Object.entries(model.features).flatMap(([weight, names]) =>
    names.split("|").map((name) => [name, Number(weight)] as const),
  ),
)

const words = [...weights.keys()].filter((one) => /^[a-z]+$/.test(one))

it("is the sum of the weights of its features, each once", () => {
  const word = fc.oneof(fc.constantFrom(...words), fc.constantFrom("it", "guarantee", "0", "0%"))
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (parts) => {
      const found = [...featuresOf(parts)].flatMap((one) => weights.get(one) ?? [])
      const sum = found.reduce((total, one) => total + one, 0)
      const expected = (sum / Math.sqrt(Math.max(1, found.length)) + model.bias) / model.scale
      assert.closeTo(likenessOf(parts), expected, 1e-9)
    }),
    { numRuns: cases(300) },
  )
})
