import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { JsonObject } from "@planloom/plugin/effect"
import { makeContext, runKind } from "../../../../components/stage-kit/test/context.ts"
import { asking, profile } from "../../../../components/stages/test/sales.ts"
import { extract } from "./extract.ts"

const reply = {
  ...asking({ metrics: ["Revenue"], group_by: ["region"], analysis: ["total"] }),
  confidence: 0.9,
}

describe("extract", () => {
  it.effect("reads a question without a model", () =>
    Effect.gen(function* () {
      const output = yield* runKind(
        extract,
        "mechanical",
        { text: "total sales by region in 2023, no chart", profile },
        makeContext(),
      )
      assert.deepStrictEqual(
        output.requirements,
        asking({
          metrics: ["revenue"],
          group_by: ["region"],
          analysis: ["total"],
          constraints: [
            { kind: "exclude", output: "chart" },
            { kind: "filter", column: "date", op: "=", value: "2023" },
          ],
        }),
      )
      assert.strictEqual(output.confidence, 0.92)
      assert.deepStrictEqual(output.notes, ['"sales" read as revenue'])
    }),
  )

  it.effect("reads with.vocabulary in addition to its own words", () =>
    Effect.gen(function* () {
      const output = yield* runKind(
        extract,
        "mechanical",
        { text: "umsatz by region", profile, vocabulary: { synonyms: [["revenue", "umsatz"]] } },
        makeContext(),
      )
      assert.deepInclude(output.requirements, { metrics: ["revenue"], group_by: ["region"] })
    }),
  )

  it.effect("fails with a question about an unknown column, unless the threshold is 0", () =>
    Effect.gen(function* () {
      const input = { text: "total profit by region", profile }
      const failure = yield* Effect.flip(runKind(extract, "mechanical", input, makeContext()))
      assert.strictEqual(failure.class, "clarification")
      assert.match(failure.message, /profit/)
      const output = yield* runKind(
        extract,
        "mechanical",
        { ...input, confidence: { threshold: 0 } },
        makeContext(),
      )
      assert.deepStrictEqual(output.unknown, ["profit"])
    }),
  )

  it.effect("reads the question again with the answer to its own question", () =>
    Effect.gen(function* () {
      const input = { text: "total profit by region", profile }
      const { message } = yield* Effect.flip(runKind(extract, "mechanical", input, makeContext()))
      const answers = [{ question: message, answer: "revenue" }]
      const output = yield* runKind(extract, "mechanical", input, makeContext({ answers }))
      assert.deepInclude(output.requirements, { metrics: ["revenue"], group_by: ["region"] })
      const recorded = makeContext({ replies: [reply], answers })
      yield* runKind(extract, "model", input, recorded)
      assert.deepStrictEqual(
        recorded.asks[0]?.messages.slice(1).map(({ content, role }) => ({ role, content })),
        [
          { role: "assistant", content: message },
          { role: "user", content: "revenue" },
        ],
      )
    }),
  )

  it.effect("normalizes a model's reply to known columns and labels", () =>
    Effect.gen(function* () {
      const lost = { ...reply, group_by: ["regions", "customer"] }
      const recorded = makeContext({ replies: [lost] })
      const output = yield* runKind(
        extract,
        "model",
        { text: "total revenue by region and customer", profile, confidence: { threshold: 0 } },
        recorded,
      )
      assert.deepStrictEqual(
        output.requirements,
        asking({
          metrics: ["revenue"],
          group_by: ["region"],
          analysis: ["total"],
          unknown: ["customer"],
        }),
      )
      const [ask] = recorded.asks
      const content = String(ask?.messages[0]?.content)
      assert.include(content, '"region" (string): North, South')
      assert.include(content, "Question: total revenue by region and customer")
    }),
  )

  it.effect("accepts a reply that leaves nothing unknown", () =>
    Effect.gen(function* () {
      const { unknown: _, ...six }: JsonObject = reply
      const recorded = makeContext({ replies: [six] })
      const output = yield* runKind(extract, "model", { text: "x", profile }, recorded)
      assert.deepStrictEqual(output.unknown, [])
      assert.deepInclude(output.requirements, { metrics: ["revenue"], unknown: [] })
    }),
  )

  it.effect("asks about a column that a model names and the table lacks, and only once", () =>
    Effect.gen(function* () {
      const lost = { ...reply, metrics: ["gdp"], confidence: 0.95 }
      const input = { text: "How did GDP develop in each region?", profile }
      const failure = yield* Effect.flip(
        runKind(extract, "model", input, makeContext({ replies: [lost] })),
      )
      assert.strictEqual(failure.class, "clarification")
      assert.match(failure.message, /"gdp".*columns are region/)
      const answers = [{ question: failure.message, answer: "leave it out" }]
      const output = yield* runKind(
        extract,
        "model",
        input,
        makeContext({ replies: [lost], answers }),
      )
      assert.deepStrictEqual(output.unknown, [])
    }),
  )

  it.effect("accepts a choice by its number, reads rows as rows, and asks no question twice", () =>
    Effect.gen(function* () {
      const input = { text: "How many trips by region?", profile }
      const counted = yield* runKind(extract, "mechanical", input, makeContext())
      assert.deepInclude(counted.requirements, { analysis: ["count"], group_by: ["region"] })
      const strange = { text: "average zorg by region", profile }
      const first = yield* Effect.flip(runKind(extract, "mechanical", strange, makeContext()))
      const answer = (given: string) => [{ question: first.message, answer: given }]
      const chosen = yield* runKind(
        extract,
        "mechanical",
        strange,
        makeContext({ answers: answer("1") }),
      )
      assert.deepInclude(chosen.requirements, { metrics: ["revenue"], analysis: ["average"] })
      const again = yield* Effect.flip(
        runKind(extract, "mechanical", strange, makeContext({ answers: answer("zorg") })),
      )
      assert.notStrictEqual(again.message, first.message)
      assert.match(again.message, /not understood: "zorg"/)
    }),
  )

  it.effect("sends the model the issues of its last reply", () =>
    Effect.gen(function* () {
      const recorded = makeContext({
        replies: [reply],
        previous: {
          class: "invalid_output",
          message: "the reply does not fit",
          detail: { issues: [{ path: "analysis.0", message: "must be one of total, average" }] },
        },
      })
      yield* runKind(extract, "model", { text: "revenue", profile }, recorded)
      const last = String(recorded.asks[0]?.messages.at(-1)?.content)
      assert.include(last, "analysis.0 must be one of total, average")
    }),
  )

  it.effect(
    "asks the user the question of an unsure model; a reply without confidence counts as certain",
    () =>
      Effect.gen(function* () {
        const unsure = { ...reply, confidence: 0.2, clarification: "Which customer?" }
        const failure = yield* Effect.flip(
          runKind(extract, "model", { text: "x", profile }, makeContext({ replies: [unsure] })),
        )
        assert.deepInclude(failure, { class: "clarification", message: "Which customer?" })
        const { confidence: _, ...silent } = reply
        const output = yield* runKind(
          extract,
          "model",
          { text: "x", profile },
          makeContext({ replies: [silent] }),
        )
        assert.strictEqual(output.confidence, 1)
      }),
  )

  it.effect("asks below the workflow's threshold, and records its confidence", () =>
    Effect.gen(function* () {
      const input = { text: "x", profile, confidence: { threshold: 0.95, clarify: "Which one?" } }
      const recorded = makeContext({ replies: [reply] })
      const failure = yield* Effect.flip(runKind(extract, "model", input, recorded))
      assert.deepInclude(failure, { class: "clarification", message: "Which one?" })
      assert.deepStrictEqual(recorded.notes, [
        { note: "confidence", data: { confidence: 0.9, threshold: 0.95, asks: true } },
      ])
      assert.include(String(recorded.asks[0]?.prompt?.sections?.[0]?.text), "below 0.95 write")
      const sure = makeContext({ replies: [reply] })
      yield* runKind(extract, "model", { text: "x", profile }, sure)
      assert.deepStrictEqual(sure.notes[0]?.data, { confidence: 0.9, threshold: 0.7, asks: false })
    }),
  )
})
