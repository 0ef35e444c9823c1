/** What every embedder promises. */
import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import type { Embedder } from "@planloom/plugin/effect"
import { expectId, expectSummary } from "./expectations.ts"
import type { SuiteRunner } from "./SuiteRunner.ts"

const texts = ["a red apple", "tax law", "a red apple", "Übersetzung 翻译"]

/** Registers the tests of one embedder, which answers each request. */
export const embedderSuite = (
  { describe, it }: SuiteRunner,
  { dimensions, embed, id, model, summary }: Embedder,
): void => {
  describe(`embedder ${id}`, () => {
    it("says what it is, and the model for prices and budgets", () => {
      expectId(id)
      expectSummary(summary, `embedder ${id}`)
      assert.match(model, /^[^/]+\/.+$/, "the model is service/model")
      assert.ok(Number.isInteger(dimensions) && dimensions > 0)
      return Promise.resolve()
    })

    it("gives a vector for each text, in order, all of the declared length", async () => {
      const { tokens, vectors } = await Effect.runPromise(embed(texts))
      assert.equal(vectors.length, texts.length)
      for (const vector of vectors) {
        assert.ok(vector instanceof Float32Array && vector.every(Number.isFinite))
        assert.equal(vector.length, dimensions)
      }
      assert.deepEqual(vectors[0], vectors[2])
      assert.notDeepEqual(vectors[0], vectors[1])
      assert.ok(tokens === undefined || tokens >= 0)
    })

    it("gives the same vectors in requests of any size", async () => {
      const many = Array.from({ length: 700 }, (_, at) => `text ${at}`)
      const { vectors } = await Effect.runPromise(embed(many))
      assert.equal(vectors.length, many.length)
      const alone = await Effect.runPromise(embed(["text 699"]))
      assert.deepEqual(vectors[699], alone.vectors[0])
    })

    it("gives nothing for nothing", async () => {
      assert.deepEqual((await Effect.runPromise(embed([]))).vectors, [])
    })
  })
}
