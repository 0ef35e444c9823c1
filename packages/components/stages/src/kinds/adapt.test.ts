import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { runKind } from "../../../stage-kit/test/context.ts"
import { asking, profile, files, tableContext, tools } from "../../test/sales.ts"
import { adapt } from "./adapt.ts"
import { cover } from "./cover.ts"

const requirements = asking({
  metrics: ["revenue"],
  group_by: ["region"],
  analysis: ["total", "compare"],
  outputs: ["chart"],
})
const names = tools.map(({ name }) => name)
const input = { requirements, tools: names, profile }

const good: Json = {
  modifications: [
    {
      op: "modify",
      step: "grouped",
      rationale: "revenue by region",
      params: { group_by: ["region"], metrics: ["revenue"], agg: "sum" },
      satisfies: ["metrics:revenue", "group_by:region", "analysis:total"],
    },
    {
      op: "modify",
      step: "chart",
      rationale: "bars by region",
      params: { x: "region", y: "revenue" },
      satisfies: ["analysis:compare", "outputs:chart", "group_by:region"],
    },
  ],
}

/** Forgets the group, plots the raw rows, adds a histogram that is not asked for. */
const misbehaving: Json = {
  modifications: [
    {
      op: "modify",
      step: "grouped",
      rationale: "sum it up",
      params: { metrics: ["revenue"], agg: "sum" },
      satisfies: ["metrics:revenue", "analysis:total"],
    },
    {
      op: "modify",
      step: "chart",
      rationale: "draw it",
      inputs: { table: "source" },
      params: { x: "region", y: "revenue" },
      satisfies: ["analysis:compare", "outputs:chart"],
    },
    {
      op: "add",
      step: "spread",
      rationale: "always good to see",
      tool: "plot_histogram",
      inputs: { table: "source" },
      params: { column: "revenue" },
      satisfies: ["metrics:revenue", "outputs:chart"],
    },
  ],
}

const check = (plan: Json) =>
  runKind(cover, "run", { plan, requirements, profile }, tableContext({ tools }))

describe("adapt and cover", () => {
  it.effect("fit a template without a model, with a reason for each change", () =>
    Effect.gen(function* () {
      const output = yield* runKind(adapt, "mechanical", input, tableContext({ tools, files }))
      assert.strictEqual(output.template, "comparative")
      assert.deepStrictEqual(output.uncovered, [])
      for (const { rationale } of output.modifications as ReadonlyArray<JsonObject>) {
        assert.match(String(rationale), /serves/)
      }
      assert.isTrue((yield* check(output.plan!)).ok)
    }),
  )

  it.effect("use other tools if the narrowed ones cannot cover every requirement", () =>
    Effect.gen(function* () {
      const recorded = tableContext({ tools, files })
      const few = { ...input, tools: ["aggregate"] }
      const output = yield* runKind(adapt, "mechanical", few, recorded)
      assert.deepStrictEqual(output.uncovered, [])
      assert.deepInclude(recorded.notes, {
        note: "expanded",
        data: { for: ["outputs:chart"], tools: ["plot_bar"] },
      })
    }),
  )

  it.effect("ask the user about a requirement that no tool serves, and continue on consent", () =>
    Effect.gen(function* () {
      const some = tools.filter(({ name }) => name === "aggregate")
      const asks = { ...input, tools: ["aggregate"], confidence: { threshold: 0.9 } }
      const given = { tools: some, files }
      const failure = yield* Effect.flip(runKind(adapt, "mechanical", asks, tableContext(given)))
      assert.strictEqual(failure.class, "clarification")
      assert.match(failure.message, /serve .*outputs:chart.*Shall I continue without/)
      assert.deepInclude(failure.detail as JsonObject, { options: ["continue", "stop"] })
      const answering = (answer: string) =>
        tableContext({ ...given, answers: [{ question: failure.message, answer }] })
      const output = yield* runKind(adapt, "mechanical", asks, answering("Continue"))
      assert.strictEqual(output.confidence, 1)
      const refused = yield* Effect.flip(runKind(adapt, "mechanical", asks, answering("stop")))
      assert.strictEqual(refused.class, "no_model")
      const never = { ...asks, confidence: { threshold: 0 } }
      const low = yield* runKind(adapt, "mechanical", never, tableContext(given))
      assert.isBelow(Number(low.confidence), 1)
    }),
  )

  it.effect(
    "ask what an unsure model asks, and use its confidence only with a confidence rule",
    () =>
      Effect.gen(function* () {
        const unsure = { ...(good as JsonObject), confidence: 0.4, clarification: "Sum or mean?" }
        const judged = { ...input, confidence: {} }
        const recorded = tableContext({ tools, files, replies: [unsure] })
        const failure = yield* Effect.flip(runKind(adapt, "model", judged, recorded))
        assert.deepInclude(failure, { class: "clarification", message: "Sum or mean?" })
        const plain = tableContext({ tools, files, replies: [good] })
        const output = yield* runKind(adapt, "model", input, plain)
        assert.notProperty(output, "confidence")
        assert.notInclude(JSON.stringify(plain.asks), "confidence")
      }),
  )

  it.effect("apply a model's modifications and record each repair of a misspelled name", () =>
    Effect.gen(function* () {
      const slips = JSON.parse(
        JSON.stringify(good)
          .replace('"group_by":["region"]', '"groupBy":"Region"')
          .replace('"agg":"sum"', '"agg":"total"')
          .replace('"group_by:region","analysis:total"', '"group_by: region","analysis:total"'),
      ) as Json
      const recorded = tableContext({ tools, files, replies: [slips] })
      const output = yield* runKind(adapt, "model", input, recorded)
      assert.isTrue((yield* check(output.plan!)).ok)
      const repairs = recorded.notes.filter(({ note }) => note === "repair")
      const rules = repairs.map(({ data }) => (data as JsonObject).rule)
      assert.sameMembers(rules, ["rename_param", "wrap_list", "column_name", "fold_choice"])
      assert.deepStrictEqual(output.notes, ['"Region" in the plan was read as "region"'])
    }),
  )

  it.effect("show the model the requirements, the data, the tools and the template", () =>
    Effect.gen(function* () {
      const recorded = tableContext({ tools, files, replies: [good] })
      yield* runKind(adapt, "model", input, recorded)
      const content = String(recorded.asks[0]?.messages[0]?.content)
      for (const part of ["- group_by:region", '"region" (string)', '"name":"plot_bar"', '"x*"']) {
        assert.include(content, part)
      }
      assert.include(content, "comparative: how groups compare")
    }),
  )

  it.effect("refuse a wrong plan with instructions by which the model corrects it", () =>
    Effect.gen(function* () {
      const first = tableContext({ tools, files, replies: [misbehaving] })
      const bad = yield* runKind(adapt, "model", input, first)
      const verdict = yield* check(bad.plan!)
      assert.isFalse(verdict.ok)
      assert.include(String(verdict.text), "Missing coverage: group_by=[region]")
      assert.include(String(verdict.text), "Remove unjustified steps: plot_histogram")
      assert.include(String(verdict.text), "Fix order: aggregate before plot_bar")

      const feedback = { stage: "coverage", message: "", output: verdict, count: 1 }
      const correction: Json = {
        modifications: [
          { op: "remove", step: "spread", rationale: "no requirement asks for a distribution" },
          {
            op: "modify",
            step: "grouped",
            rationale: "by region",
            params: { group_by: ["region"] },
            satisfies: ["metrics:revenue", "group_by:region", "analysis:total"],
          },
          {
            op: "modify",
            step: "chart",
            rationale: "after grouping",
            inputs: { table: "grouped" },
          },
        ],
      }
      const second = tableContext({ tools, files, feedback, replies: [correction] })
      const better = yield* runKind(adapt, "model", input, second)
      const asked = second.asks[0]?.messages.map(({ content }) => String(content)).join("\n") ?? ""
      assert.include(asked, "Your last answer was refused:\nMissing coverage: group_by=[region]")
      assert.include(asked, '"spread"')
      const repaired = yield* check(better.plan!)
      assert.strictEqual(repaired.text, "")
      assert.isTrue(repaired.ok)
    }),
  )

  it.effect("remove the steps of a model that nothing asked for, with a note", () =>
    Effect.gen(function* () {
      const histogram = (misbehaving as { modifications: ReadonlyArray<Json> }).modifications.at(
        -1,
      )!
      const unknown = { op: "add", step: "odd", rationale: "", tool: "no_such_tool", satisfies: [] }
      const { modifications } = good as { modifications: ReadonlyArray<Json> }
      const reply = { modifications: [...modifications, histogram, unknown] }
      const recorded = tableContext({ tools, files, replies: [reply] })
      const output = yield* runKind(adapt, "model", input, recorded)
      assert.isTrue((yield* check(output.plan!)).ok)
      assert.deepStrictEqual(output.notes, [
        "The step plot_histogram was left out, because nothing asked for it",
        "The step no_such_tool was left out, because nothing asked for it",
      ])
      assert.deepInclude(recorded.notes, {
        note: "removed_steps",
        data: [
          { step: "spread", tool: "plot_histogram" },
          { step: "odd", tool: "no_such_tool" },
        ],
      })
    }),
  )

  it.effect("list the modifications that could not be applied", () =>
    Effect.gen(function* () {
      const lost: Json = { modifications: [{ op: "remove", step: "missing", rationale: "" }] }
      const recorded = tableContext({ tools, files, replies: [lost] })
      const output = yield* runKind(adapt, "model", input, recorded)
      assert.deepInclude((output.rejected as ReadonlyArray<JsonObject>)[0], {
        reason: "there is no step missing",
      })
      assert.strictEqual(recorded.notes[0]?.note, "rejected_modifications")
    }),
  )

  it.effect("reject a plan that cannot run, with paths and suggestions", () =>
    Effect.gen(function* () {
      const plan = {
        steps: [
          {
            id: "grouped",
            tool: "agregate",
            inputs: { table: "source" },
            params: {},
            satisfies: [],
          },
        ],
      }
      const verdict = yield* check(plan)
      assert.isFalse(verdict.ok)
      assert.include(
        String(verdict.text),
        "Fix step grouped: there is no tool agregate (did you mean aggregate?)",
      )
    }),
  )
})
