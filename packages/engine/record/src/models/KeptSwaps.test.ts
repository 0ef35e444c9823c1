/** Kept swaps of models: swaps, undos and the history, by one process and by two at the same time. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { TestClock } from "effect/testing"
import { cases } from "../../../../../.config/cases.ts"
import { memoryCollections } from "../../../core/src/run/surroundings/memoryCollections.ts"
import { KeptSwaps, type KeptTarget } from "./KeptSwaps.ts"

const why = { by: "ann", why: "a test" }
const written = (target: KeptTarget) => ["alias" in target ? "file/alias" : "file/stage"]
const proposed = (target: KeptTarget, after: ReadonlyArray<string>) => ({
  ...target,
  before: [],
  after,
  ...why,
})

const targets: ReadonlyArray<KeptTarget> = [
  { alias: "writer" },
  { alias: "__proto__" },
  { stage: "writer" },
  { stage: "draft/fallback:1" },
]

type Step = { readonly target: KeptTarget; readonly model: string } | "undo"
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ target: fc.constantFrom(...targets), model: fc.constantFrom("v/a", "v/b", "v/c") }),
  fc.constant<Step>("undo"),
)

/** The models in force after the steps: a stack, from which an undo takes the last swap. */
const expected = (steps: ReadonlyArray<Step>) => {
  const swaps: Array<Exclude<Step, "undo">> = []
  for (const one of steps) {
    if (one === "undo") swaps.pop()
    else swaps.push(one)
  }
  return new Map(swaps.map(({ model, target }) => [JSON.stringify(target), model]))
}

const inForce = Effect.fnUntraced(function* (kept: KeptSwaps) {
  const { aliases = {}, stages = {} } = (yield* kept.current("w")) ?? {}
  const entries: ReadonlyArray<readonly [string, string]> = [
    ...Object.entries(aliases).map(
      ([alias, [model]]) => [JSON.stringify({ alias }), model!] as const,
    ),
    ...Object.entries(stages).map(
      ([stage, [model]]) => [JSON.stringify({ stage }), model!] as const,
    ),
  ]
  return new Map(entries)
})

const sorted = (entries: Map<string, string>) => [...entries].toSorted()

describe("kept swaps of models", () => {
  it.effect("are none for a workflow of which nothing was swapped", () =>
    Effect.gen(function* () {
      const kept = new KeptSwaps(memoryCollections()("models"))
      assert.strictEqual(yield* kept.current("w"), undefined)
      assert.strictEqual(yield* kept.undo("w", why, written), undefined)
      assert.deepStrictEqual(yield* kept.history("w"), [])
    }),
  )

  it.effect("have a history of who swapped what, when and why", () =>
    Effect.gen(function* () {
      const kept = new KeptSwaps(memoryCollections()("models"))
      yield* kept.put("w", { alias: "writer", before: ["v/a"], after: ["v/b"], ...why })
      yield* TestClock.adjust(7)
      yield* kept.undo("w", { by: "bob", why: "it is over" }, written)
      assert.deepStrictEqual(yield* kept.history("w"), [
        { number: 1, at: 0, alias: "writer", before: ["v/a"], after: ["v/b"], ...why },
        {
          number: 2,
          at: 7,
          alias: "writer",
          before: ["v/b"],
          after: ["file/alias"],
          by: "bob",
          why: "it is over",
          undoes: 1,
        },
      ])
    }),
  )

  it.effect("are in force as a stack of the swaps that were not undone", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), (steps) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const kept = new KeptSwaps(memoryCollections()("models"))
              let done = 0
              for (const one of steps) {
                const swap =
                  one === "undo"
                    ? yield* kept.undo("w", why, written)
                    : yield* kept.put("w", proposed(one.target, [one.model]))
                if (swap !== undefined) done++
              }
              assert.deepStrictEqual(sorted(yield* inForce(kept)), sorted(expected(steps)))
              const numbers = (yield* kept.history("w")).map(({ number }) => number)
              assert.deepStrictEqual(
                numbers,
                Array.from({ length: done }, (_, index) => index + 1),
              )
            }),
          ),
        ),
        { numRuns: cases(100) },
      ),
    ),
  )

  it.effect("by several at the same time are all in the history, once each", () =>
    Effect.gen(function* () {
      const place = memoryCollections()("models")
      yield* Effect.forEach(
        Array.from({ length: 8 }, (_, index) => index),
        (index) => new KeptSwaps(place).put("w", proposed({ stage: `s${index}` }, [`v/m${index}`])),
        { concurrency: "unbounded" },
      )
      const kept = new KeptSwaps(place)
      assert.lengthOf([...(yield* inForce(kept))], 8)
      const swaps = yield* kept.history("w")
      assert.deepStrictEqual(
        swaps.map(({ number }) => number),
        [1, 2, 3, 4, 5, 6, 7, 8],
      )
      assert.strictEqual(new Set(swaps.map(({ stage }) => stage)).size, 8)
    }),
  )
})
