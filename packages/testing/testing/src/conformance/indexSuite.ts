/** What every search index promises. */
import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import type { BuiltIndex, Index, IndexDocument } from "@planloom/plugin/effect"
import { deepFrozen, expectId, expectSummary } from "./expectations.ts"
import type { SuiteRunner } from "./SuiteRunner.ts"

const document = (
  id: string,
  summary: string,
  keywords: string,
  examples: ReadonlyArray<string> = [],
): IndexDocument => ({
  id,
  fields: { name: id, summary, keywords },
  ...(examples.length === 0 ? {} : { examples }),
})

/** Tools as a catalog has them: near relatives, a name in camel case, a text in another script. */
export const sampleDocuments: ReadonlyArray<IndexDocument> = deepFrozen([
  document("aggregate", "Sums, averages or counts rows by group.", "group by total mean"),
  document("filter_rows", "Keeps the rows that meet a condition.", "where select only"),
  document("top_n", "Keeps the rows with the highest or lowest values.", "rank best worst"),
  document("plot_line", "Draws a line chart over time.", "trend chart time series"),
  document("plot_bar", "Draws a bar chart of categories.", "compare chart categories"),
  document("detect_anomalies", "Finds values far from the others.", "outlier spike unusual"),
  document("compute_summary_stats", "Mean, median, deviation and quartiles.", "statistics spread"),
  document("send_email", "Sends a message to an address.", "mail notify", [
    "let the team know",
    "write to accounting about the invoice",
  ]),
  document("getWeatherForecast", "Forecasts the weather of the coming days.", "rain temperature"),
  document("translate_text", "Übersetzt Text in eine andere Sprache.", "翻译 language"),
])

const queries = [
  "total revenue by group",
  "line chart of the trend",
  "unusual spike",
  "翻译",
  "the",
]

/** Registers the tests of one index. */
export const indexSuite = ({ describe, it }: SuiteRunner, index: Index): void => {
  const build = (documents: ReadonlyArray<IndexDocument>): Promise<BuiltIndex> =>
    Effect.runPromise(index.build(documents))
  const search = (built: BuiltIndex, query: string, limit = 5) =>
    Effect.runPromise(built.search(query, { limit }))
  const answers = (built: BuiltIndex) =>
    Promise.all(queries.map((query) => search(built, query, sampleDocuments.length)))

  describe(`index ${index.id}`, () => {
    it("says what it is", async () => {
      expectId(index.id)
      expectSummary(index.summary, `index ${index.id}`)
    })

    it("finds each document first by its own name and summary", async () => {
      const built = await build(sampleDocuments)
      for (const { fields, id } of sampleDocuments) {
        const [first] = await search(built, `${fields["name"]} ${fields["summary"]}`)
        assert.equal(first?.id, id)
      }
    })

    it("finds a document by its example utterances", async () => {
      const [first] = await search(await build(sampleDocuments), "please let the team know")
      assert.equal(first?.id, "send_email")
    })

    it("gives at most as many as asked for, each once, the nearest first", async () => {
      const built = await build(sampleDocuments)
      for (const limit of [0, 1, 3, 100]) {
        const hits = await search(built, "draws a chart of rows by group", limit)
        assert.ok(hits.length <= Math.min(limit, sampleDocuments.length))
        assert.equal(new Set(hits.map(({ id }) => id)).size, hits.length)
        const scores = hits.map(({ score }) => score)
        assert.ok(scores.every((score) => score >= 0 && score <= 1))
        assert.deepStrictEqual(
          scores,
          scores.toSorted((a, b) => b - a),
        )
      }
    })

    it("scores so that a limit of nearness means the same for every query", async () => {
      const built = await build(sampleDocuments)
      const near = "line chart over time"
      const [best] = await search(built, near, 1)
      const [far] = await search(built, `${near} zebra quartz violin harbour`, 1)
      assert.ok(best!.score > (far?.score ?? 0))
      const hits = await Effect.runPromise(built.search(near, { limit: 10, least: best!.score }))
      assert.ok(hits.length > 0 && hits.every(({ score }) => score >= best!.score))
    })

    it("finds only documents that have a value in each facet of the search", async () => {
      const built = await build(
        sampleDocuments.map((one, at) => ({
          ...one,
          facets: { half: [at % 2 === 0 ? "even" : "odd"], all: ["yes", "always"] },
        })),
      )
      const found = async (where: { readonly [facet: string]: ReadonlyArray<string> }) =>
        (await Effect.runPromise(built.search("draws a chart", { limit: 10, where }))).map(
          ({ id }) => sampleDocuments.findIndex((one) => one.id === id) % 2,
        )
      assert.ok((await found({ half: ["even", "none"], all: ["yes"] })).every((half) => half === 0))
      assert.ok((await found({ half: ["odd"] })).includes(1))
      assert.deepStrictEqual(await found({ half: ["odd"], all: ["no"] }), [])
      assert.deepStrictEqual(await found({ other: ["odd"] }), [])
    })

    it("answers the same question the same way", async () => {
      const built = await build(sampleDocuments)
      assert.deepStrictEqual(await answers(built), await answers(built))
      assert.deepStrictEqual(await answers(await build(sampleDocuments)), await answers(built))
    })

    it("is after adding as if built with all", async () => {
      const built = await build(sampleDocuments.slice(0, 6))
      await Effect.runPromise(built.add(sampleDocuments.slice(6)))
      assert.equal(built.size(), sampleDocuments.length)
      assert.deepStrictEqual(await answers(built), await answers(await build(sampleDocuments)))
    })

    it("is after removing as if built from what remains", async () => {
      const gone = ["plot_bar", "send_email", "aggregate"]
      const built = await build(sampleDocuments)
      await Effect.runPromise(built.remove([...gone, "never_there"]))
      const rest = sampleDocuments.filter(({ id }) => !gone.includes(id))
      assert.equal(built.size(), rest.length)
      assert.deepStrictEqual(await answers(built), await answers(await build(rest)))
      assert.ok((await search(built, "bar chart", 20)).every(({ id }) => !gone.includes(id)))
    })

    it("can be emptied and filled again", async () => {
      const built = await build(sampleDocuments)
      await Effect.runPromise(built.remove(sampleDocuments.map(({ id }) => id)))
      assert.equal(built.size(), 0)
      assert.deepStrictEqual(await search(built, "chart"), [])
      await Effect.runPromise(built.add(sampleDocuments))
      assert.deepStrictEqual(await answers(built), await answers(await build(sampleDocuments)))
    })

    it("accepts empty, foreign and hostile texts", async () => {
      const odd: ReadonlyArray<IndexDocument> = [
        { id: "__proto__", fields: { name: "constructor", summary: "" } },
        { id: "", fields: {} },
        { id: "long", fields: { name: "x".repeat(10_000), summary: "\ud800 \u0000 🎉" } },
      ]
      const built = await build(odd)
      assert.equal(built.size(), odd.length)
      const known = new Set(odd.map(({ id }) => id))
      for (const query of ["", " ", "constructor", "🎉", "\ud800", "a ".repeat(50_000)]) {
        const hits = await search(built, query)
        assert.ok(hits.every(({ id }) => known.has(id)))
      }
    })
  })
}
