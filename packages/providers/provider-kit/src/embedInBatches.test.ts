/** Batches of texts, and vectors of the wrong length. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { embedInBatches } from "./embedInBatches.ts"

const embedderOf = (vectorOf: (text: string) => Float32Array) => {
  const requests: Array<ReadonlyArray<string>> = []
  const embed = embedInBatches({
    name: "any/model",
    dimensions: 2,
    batch: 2,
    request: (texts) => {
      requests.push(texts)
      return Effect.succeed({ vectors: texts.map(vectorOf), tokens: texts.length })
    },
  })
  return { embed, requests }
}

describe("embedInBatches", () => {
  it.effect("requests texts in batches and returns their vectors in order", () =>
    Effect.gen(function* () {
      const { embed, requests } = embedderOf((text) => Float32Array.of(text.length, 0))
      const { tokens, vectors } = yield* embed(["a", "bb", "ccc"])
      assert.strictEqual(tokens, 3)
      assert.deepStrictEqual(requests, [["a", "bb"], ["ccc"]])
      assert.deepStrictEqual(
        vectors.map(([length]) => length),
        [1, 2, 3],
      )
    }),
  )

  it.effect("fails with invalid_output if a vector has another length than declared", () =>
    Effect.gen(function* () {
      const { embed } = embedderOf(() => Float32Array.of(1))
      const failure = yield* Effect.flip(embed(["a"]))
      assert.strictEqual(failure.class, "invalid_output")
      assert.strictEqual(failure.model, "any/model")
    }),
  )
})
