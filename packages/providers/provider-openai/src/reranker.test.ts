/** The reranker over the wire: what it sends, and that it believes no answer. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { toFailureRecord, type JsonObject } from "@planloom/plugin/effect"
import { wireServer, type WireAnswer } from "@planloom/testing"
import * as fc from "fast-check"
import { cases } from "../../../../.config/cases.ts"
import { rerankOptions } from "./options.ts"
import { reranker } from "./reranker.ts"

const host = { root: ".", secret: () => undefined }
const texts = ["a note", "hot tea", "tea"]

const setup = (answer: WireAnswer, path = "/v1", api?: "voyage") =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => wireServer({ answers: [answer] })),
      (open) => Effect.promise(() => open.close()),
    )
    const config = {
      servers: { llamacpp: { base_url: server.url + path } },
      rerank: { server: "llamacpp", model: "bge-reranker", ...(api && { api }) },
    } as const
    return { server, ...reranker(rerankOptions(config, host)) }
  })

const results = (...all: ReadonlyArray<readonly [index: unknown, score: unknown]>) =>
  ({
    results: all.map(([index, score]) => ({ index, relevance_score: score })),
  }) as unknown as JsonObject

describe("the reranker", () => {
  it.effect("sends the texts with their number, and reads the scores in their order", () =>
    Effect.gen(function* () {
      const { model, rerank, server } = yield* setup({})
      assert.strictEqual(model, "llamacpp/bge-reranker")
      assert.deepStrictEqual(yield* rerank("hot tea", texts), { scores: [0, 2, 1], tokens: 3 })
      const [{ body, method, path }] = server.requests as unknown as readonly [JsonObject]
      assert.deepStrictEqual([method, path], ["POST", "/v1/rerank"])
      assert.deepStrictEqual(body, {
        model: "bge-reranker",
        query: "hot tea",
        documents: texts,
        top_n: 3,
      })
    }),
  )

  it.effect("speaks the shape of Voyage, and believes no answer of another one", () =>
    Effect.gen(function* () {
      const { rerank, server } = yield* setup({}, "/v1", "voyage")
      assert.deepStrictEqual(yield* rerank("hot tea", texts), { scores: [0, 2, 1], tokens: 3 })
      const [{ body }] = server.requests as unknown as readonly [JsonObject]
      assert.deepStrictEqual(body, {
        model: "bge-reranker",
        query: "hot tea",
        documents: texts,
        top_k: 3,
      })
      const other = yield* setup(
        { raw: { body: results([0, 1], [1, 1], [2, 1]) } },
        "/v1",
        "voyage",
      )
      const failure = toFailureRecord(yield* Effect.flip(other.rerank("tea", texts)))
      assert.strictEqual(failure.class, "invalid_output")
    }),
  )

  it.effect("reads scores of a service that counts no tokens, and all that are numbers", () =>
    Effect.gen(function* () {
      const { rerank } = yield* setup({ raw: { body: results([2, -7.5], [0, 0], [1, 1e9]) } })
      assert.deepStrictEqual(yield* rerank("tea", texts), { scores: [0, 1e9, -7.5] })
    }),
  )

  for (const [what, body, expected] of [
    ["no results", { object: "list" }, /returned no results, not one score/],
    ["null", "null", /cannot be read/],
    ["an error with a success status", { error: { message: "no such thing" } }, /no such thing/],
    [
      "a missing document",
      results([0, 1], [1, 1]),
      /returned 2 results, not one score for each of 3/,
    ],
    ["none of them", results(), /returned 0 results/],
    ["an index out of range", results([0, 1], [1, 1], [3, 1]), /a result of no document/],
    ["a negative index", results([0, 1], [1, 1], [-1, 1]), /a result of no document/],
    ["an index that is a text", results([0, 1], [1, 1], ["2", 1]), /a result of no document/],
    ["a repeated index", results([0, 1], [1, 1], [1, 2]), /two results of the document 1/],
    ["too many results", results([0, 1], [1, 1], [2, 1], [0, 1]), /two results of the document 0/],
    ["a score that is a text", results([0, "1"], [1, 1], [2, 1]), /not a number/],
    ["a score that is null", results([0, null], [1, 1], [2, 1]), /not a number/],
    [
      "an infinite score",
      '{"results":[{"index":0,"relevance_score":1e999},{"index":1,"relevance_score":1},{"index":2,"relevance_score":1}]}',
      /not a number/,
    ],
    ["a result that is null", { results: [null, 1, 2] }, /a result of no document/],
  ] as const) {
    it.effect(`fails with a message, without a defect, for ${what}`, () =>
      Effect.gen(function* () {
        const { rerank } = yield* setup({
          raw: {
            headers: { "content-type": "application/json" },
            body: body as string | JsonObject,
          },
        })
        const failure = toFailureRecord(yield* Effect.flip(rerank("tea", texts)))
        assert.match(failure.message, expected)
        if (/returned/.test(failure.message)) assert.strictEqual(failure.class, "invalid_output")
      }),
    )
  }

  it.effect("fails for any results but one finite score for each document", () =>
    Effect.gen(function* () {
      const { rerank, server } = yield* setup({})
      const value = fc.oneof(
        fc.integer({ min: -1, max: 4 }),
        fc.double(),
        fc.string(),
        fc.jsonValue(),
      )
      const given = fc.array(fc.oneof(fc.tuple(value, value), fc.tuple(fc.nat(2), fc.integer())), {
        maxLength: 5,
      })
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(given, async (all) => {
            // As the wire has them: NaN and infinite numbers are null.
            const body = JSON.parse(JSON.stringify(results(...all))) as {
              readonly results: ReadonlyArray<{ index?: unknown; relevance_score?: unknown }>
            }
            server.answer({ raw: { body: body as unknown as JsonObject } })
            const isWhole =
              body.results.length === texts.length &&
              texts.every((_, at) => body.results.some(({ index }) => index === at)) &&
              body.results.every(({ relevance_score: score }) => typeof score === "number")
            const exit = await Effect.runPromise(Effect.result(rerank("tea", texts)))
            assert.strictEqual(exit._tag, isWhole ? "Success" : "Failure")
          }),
          { numRuns: cases(50) },
        ),
      )
    }),
  )

  it.effect(
    "fails with the class of an error of the service, and without a request if it is not set",
    () =>
      Effect.gen(function* () {
        const busy = yield* setup({ status: 429 })
        assert.strictEqual(
          toFailureRecord(yield* Effect.flip(busy.rerank("tea", texts))).class,
          "rate_limit",
        )
        const failure = yield* Effect.flip(reranker(rerankOptions({}, host)).rerank("tea", texts))
        assert.match(failure.message, /write `rerank` into the config/)
        assert.isTrue(failure.unsent)
      }),
  )
})
