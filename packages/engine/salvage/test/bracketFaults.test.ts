/** Documents with one bracket too many, too few or of another kind: what is lost is marked by `loss`, and nothing of it passes `lossy: "refuse"`. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { documents } from "./documents.ts"
import { bracketOutcomeOf, brokenDocuments } from "./faults/bracketFaults.ts"
import { describedOf, randomOf } from "./faults/described.ts"
import { parse } from "../src/parse.ts"
import type { Json, Schema } from "../src/Salvage.ts"
import { cases, seed } from "../../../../.config/cases.ts"

const COUNT = cases(200)
const FIRST = seed * 1_000_000

interface Described {
  readonly value: Json
  readonly schema?: Schema
}

const sets: { readonly [name: string]: ReadonlyArray<Described> } = {
  "without a schema": fc
    .sample(documents, COUNT)
    .filter((value) => Object.keys(value as object).length > 0)
    .map((value) => ({ value })),
  "with a schema": Array.from({ length: COUNT }, (_, index) =>
    describedOf(randomOf(FIRST + index)),
  ),
}

describe.each(Object.keys(sets))("documents %s", (name) => {
  const described = sets[name]!
  const broken = brokenDocuments(
    described.map(({ value }) => value),
    COUNT,
    FIRST,
  )
  const schemas = new Map(described.map(({ schema, value }) => [value, schema]))

  it.each(["accept", "refuse"] as const)("lose nothing silently if `lossy` is `%s`", (lossy) => {
    const outcomes = broken.map((each) =>
      bracketOutcomeOf(each, parse(each.text, schemas.get(each.truth), { lossy })),
    )
    expect(broken.filter((_, index) => outcomes[index] === "lost")).toEqual([])
    const right = outcomes.filter((outcome) => outcome === "right")
    expect(right.length / COUNT).toBeGreaterThan(0.5)
  })
})
