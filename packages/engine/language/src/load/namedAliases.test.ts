/** Aliases that name others have their models. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cases } from "../../../../../.config/cases.ts"
import type { ModelAlias } from "../definition/Definition.ts"
import { withNamedAliases } from "./namedAliases.ts"

const alias = (...names: ReadonlyArray<string>): ModelAlias => ({
  try: names,
  otherwise: "fail",
  temperature: undefined,
  top_k: undefined,
  seed: undefined,
  max_tokens: undefined,
  stop: undefined,
  reasoning: undefined,
  on_cut: undefined,
  options: undefined,
  structured: undefined,
  repair: undefined,
})

describe("an alias that names others", () => {
  it("has their models in its order, each once, and keeps what is written", () => {
    const { all, planner } = withNamedAliases({
      all: alias("planner", "far/spare", "writer"),
      planner: alias("near/small", "far/large"),
      writer: alias("far/large", "near/new"),
    })
    expect(all).toEqual({
      ...alias("near/small", "far/large", "far/spare", "near/new"),
      names: ["planner", "far/spare", "writer"],
    })
    expect(planner).toEqual(alias("near/small", "far/large"))
  })

  it("has no model when the other one has none", () => {
    expect(withNamedAliases({ a: alias("b"), b: alias() })["a"]!.try).toEqual([])
  })

  it("ends, and leaves only names that are no alias with models of its own", () => {
    const name = fc.constantFrom("a", "b", "c", "constructor")
    const names = fc.array(fc.oneof(name, fc.constantFrom("x/1", "x/2")))
    fc.assert(
      fc.property(fc.dictionary(name, names), (written) => {
        const models = Object.entries(written).map(([one, list]) => [one, alias(...list)] as const)
        const listsModels = (one: string) =>
          Object.hasOwn(written, one) && written[one]!.every((model) => model.includes("/"))
        for (const [one, found] of Object.entries(withNamedAliases(Object.fromEntries(models)))) {
          const left = found.try.filter((model) => !model.includes("/"))
          expect(left.some(listsModels)).toBe(false)
          for (const other of left) expect(written[one]).toContain(other)
        }
      }),
      { numRuns: cases(200) },
    )
  })
})
