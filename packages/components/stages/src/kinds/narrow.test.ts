import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { JsonObject, Tool } from "@planloom/plugin/effect"
import { runKind } from "../../../stage-kit/test/context.ts"
import { asking, files, tableContext, tools } from "../../test/sales.ts"
import { narrow } from "./narrow.ts"

const requirements = asking({ metrics: ["revenue"], group_by: ["region"], analysis: ["anomaly"] })

describe("narrow", () => {
  it.effect("keeps search results, the template's tools and the safety set", () =>
    Effect.gen(function* () {
      const recorded = tableContext({ tools, files })
      const output = yield* runKind(narrow, "run", { requirements, limit: 7 }, recorded)
      assert.includeMembers(output.tools as Array<string>, [
        "aggregate",
        "plot_bar",
        "filter",
        "plot_line",
        "compute_summary_stats",
        "detect_anomalies",
      ])
      assert.isAtMost((output.tools as Array<string>).length, 7)
      assert.strictEqual(output.template, "comparative")
      const why = Object.fromEntries(
        (output.trace as ReadonlyArray<JsonObject>).map((one) => [one.tool, one.why]),
      )
      assert.match(String(why.aggregate), /^template, safety set/)
      assert.match(String(why.detect_anomalies), /1st for analysis:anomaly/)
      assert.strictEqual(recorded.notes[0]?.note, "narrowing")
    }),
  )

  it.effect("leaves chart tools out when no chart is wanted", () =>
    Effect.gen(function* () {
      const output = yield* runKind(
        narrow,
        "run",
        {
          requirements: { ...requirements, constraints: [{ kind: "exclude", output: "chart" }] },
        },
        tableContext({ tools, files }),
      )
      assert.notInclude(output.tools as Array<string>, "plot_line")
      assert.deepInclude(output.trace as Array<unknown>, {
        tool: "plot_line",
        kept: false,
        why: "the user wants no chart",
        score: 0,
      })
    }),
  )

  it.effect("adds tools when coverage sends the run back", () =>
    Effect.gen(function* () {
      const feedback = { stage: "coverage", message: "", output: {}, count: 1 }
      const few = { requirements, limit: 1, safety: [] }
      const first = yield* runKind(narrow, "run", few, tableContext({ tools }))
      const again = yield* runKind(narrow, "run", few, tableContext({ tools, feedback }))
      assert.isAbove((again.tools as Array<string>).length, (first.tools as Array<string>).length)
    }),
  )

  it.effect("adds tools only for the requirements that coverage found uncovered", () =>
    Effect.gen(function* () {
      const input = { requirements, limit: 1, safety: [] }
      const feedback = {
        stage: "coverage",
        message: "",
        output: { missing: { analysis: ["anomaly"] } },
        count: 1,
      }
      const output = yield* runKind(narrow, "run", input, tableContext({ tools, feedback }))
      assert.include(output.tools as Array<string>, "detect_anomalies")
      const added = (output.trace as ReadonlyArray<JsonObject>).filter(({ why }) =>
        String(why).includes("added because nothing served"),
      )
      assert.isAbove(added.length, 0)
      for (const { why } of added) assert.match(String(why), /nothing served analysis:anomaly/)
    }),
  )

  it.effect("keeps a tool for every analysis that one can do", () =>
    Effect.gen(function* () {
      const wanted = asking({
        metrics: ["revenue"],
        group_by: ["region"],
        analysis: ["total", "anomaly", "trend"],
      })
      const input = { requirements: wanted, limit: 1, safety: [] }
      const output = yield* runKind(narrow, "run", input, tableContext({ tools }))
      assert.include(output.tools as Array<string>, "detect_anomalies")
      assert.include(output.tools as Array<string>, "aggregate")
    }),
  )

  it.effect("searches with one query per requirement and a combined one", () =>
    Effect.gen(function* () {
      const recorded = tableContext({ tools, files })
      yield* runKind(narrow, "run", { requirements, question: "anything odd?" }, recorded)
      const [note = { note: "", data: null }] = recorded.notes
      const { queries } = note.data as unknown as {
        readonly queries: ReadonlyArray<{ readonly name: string; readonly text: string }>
      }
      assert.deepStrictEqual(
        queries.map(({ name }) => name),
        ["metrics:revenue", "group_by:region", "analysis:anomaly", "all"],
      )
      assert.match(queries.at(-1)?.text ?? "", /^anything odd\?/)
    }),
  )

  it.effect("reports the true rank of a tool beyond the limit", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 30 }, (_, at): Tool => ({
        ...tools[0]!,
        name: `chart_${String(at).padStart(2, "0")}`,
        summary: `Draws a chart${" of numbers".repeat(at)}.`,
      }))
      const recorded = tableContext({ tools: many })
      const input = { question: "draw a chart", limit: 3, safety: [] }
      const { tools: kept, trace } = yield* runKind(narrow, "run", input, recorded)
      assert.deepStrictEqual(kept, ["chart_00", "chart_01", "chart_02"])
      const lines = trace as ReadonlyArray<JsonObject>
      assert.lengthOf(lines, 30)
      assert.deepInclude(lines[10], { tool: "chart_10", kept: false })
      assert.strictEqual(lines[10]!.why, "11th for all, beyond the limit")
      const scores = lines.map(({ score }) => score as number)
      assert.deepStrictEqual(
        scores,
        scores.toSorted((a, b) => b - a),
      )
      // The output holds the trace; the note does not repeat it.
      assert.notProperty(recorded.notes[0]!.data, "trace")
    }),
  )

  it.effect("finds tools for a question alone, without a domain", () =>
    Effect.gen(function* () {
      const input = { question: "which days look odd, and a chart of them" }
      const output = yield* runKind(narrow, "run", input, tableContext({ tools, domains: [] }))
      assert.include(output.tools as Array<string>, "detect_anomalies")
      assert.isTrue(output.found)
      assert.notInclude(JSON.stringify(output.trace), "unknown tool")
    }),
  )

  it.effect("fills the slots with a tool for each of the generic requirements", () =>
    Effect.gen(function* () {
      const input = {
        requirements: [
          { kind: "task", label: "detect anomalies" },
          { kind: "task", label: "draw a bar chart" },
        ],
        limit: 2,
      }
      const output = yield* runKind(narrow, "run", input, tableContext({ tools, domains: [] }))
      assert.sameMembers(output.tools as Array<string>, ["detect_anomalies", "plot_bar"])
    }),
  )

  it.effect(
    "does not report tools of the domain's safety set that the workflow does not have",
    () =>
      Effect.gen(function* () {
        const few = tools.filter(({ name }) => name !== "plot_line")
        const output = yield* runKind(narrow, "run", { requirements }, tableContext({ tools: few }))
        assert.notInclude(JSON.stringify(output.trace), "plot_line")
      }),
  )

  it.effect("says for which requirements it found no tool", () =>
    Effect.gen(function* () {
      const nothing = yield* runKind(
        narrow,
        "run",
        { question: "请帮我预订酒店", safety: [] },
        tableContext({ tools }),
      )
      assert.deepStrictEqual(nothing, { tools: [], found: false, unmatched: ["all"], trace: [] })
      const some = yield* runKind(
        narrow,
        "run",
        {
          requirements: [
            { kind: "task", label: "zzzz" },
            { kind: "task", label: "detect anomalies" },
          ],
        },
        tableContext({ tools, domains: [] }),
      )
      assert.isTrue(some.found)
      assert.deepStrictEqual(some.unmatched, ["task:zzzz"])
    }),
  )

  it.effect("finds no tool whose score is below least", () =>
    Effect.gen(function* () {
      const input = { question: "plot a bar", safety: [], limit: 20 }
      const all = yield* runKind(narrow, "run", input, tableContext({ tools }))
      const best = yield* runKind(narrow, "run", { ...input, least: 0.6 }, tableContext({ tools }))
      assert.isAbove((all.tools as Array<string>).length, (best.tools as Array<string>).length)
      assert.include(best.tools as Array<string>, "plot_bar")
    }),
  )

  it.effect("fails without anything to find tools for", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(runKind(narrow, "run", {}, tableContext({ tools })))
      assert.match(failure.message, /give `requirements`, a `question`, or both/)
    }),
  )

  it.effect("fails with the name of an unknown template", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(
        runKind(narrow, "run", { requirements, template: "unknown" }, tableContext({ files })),
      )
      assert.match(failure.message, /no plan template unknown; there are comparative/)
    }),
  )
})
