/** Plans of a model that cannot be read or executed, on the whole engine: by words, a question, a fallback, or a failure. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { run } from "@planloom/core"
import { load } from "@planloom/embed"
import { definePlugin, type Json, type JsonObject } from "@planloom/plugin/effect"
import retrieval from "@planloom/retrieval"
import stages from "@planloom/stages"
import { scriptedProvider, stubTools } from "@planloom/testing"
import { problemsOf, writeWorkflow } from "./inlineWorkflow.ts"

const tool = {
  effect: "read" as const,
  summary: "Lists the activity of a router.",
  examples: ["show me the activity"],
  params: {
    type: "object" as const,
    additionalProperties: false,
    required: ["router"],
    properties: { router: { enum: ["sushi", "aerodrome"] }, limit: { type: "integer" as const } },
  },
}

/** Runs the workflow on a model with these replies, in order. */
const ran = (body: string, replies: ReadonlyArray<Json>, found: Json = []) =>
  Effect.scoped(
    Effect.gen(function* () {
      const provider = scriptedProvider(
        replies.map((reply) => (typeof reply === "string" ? { text: reply } : { json: reply })),
      )
      const tools = stubTools({ activity: { result: found, tool } })
      const world = definePlugin({
        id: "world",
        summary: "A model and a tool.",
        components: { providers: [provider], tools: [tools] },
      })
      const { pipeline } = yield* load(writeWorkflow(body), {
        extraPlugins: [stages, retrieval, world],
      })
      const result = yield* Effect.catchTag(run(pipeline, {}), "RunFailed", (failed) =>
        Effect.succeed({ ...failed.result, failure: failed.reason }),
      )
      return { result, asked: provider.requests.length, requests: provider.requests }
    }),
  )

const planning = (otherwise: string, request: string, more = "") => `
models: { planner: { try: [scripted/one], otherwise: ${otherwise} } }
stages: [{ id: plan, uses: plan, model: planner, with: { request: ${request}, calling: json }${more} }]
outputs: { plan: "\${{ stages.plan.output }}" }
`

const prose = "I would look at sushi first."
const unfit = { plan: { steps: [{ id: "a", tool: "activity", params: { router: "uniswap" } }] } }
const unreadable: ReadonlyArray<readonly [string, ReadonlyArray<Json>]> = [
  ["cannot be read", [prose, prose]],
  ["cannot be executed", [unfit]],
]

describe.each(unreadable)("a first plan that %s", (_, replies) => {
  it.effect("gives way to the words of the request, degraded, with `otherwise: mechanical`", () =>
    Effect.gen(function* () {
      const { asked, result } = yield* ran(
        planning("mechanical", "Show me the activity on aerodrome"),
        replies,
      )
      const { steps } = (result.outputs["plan"] as JsonObject)["plan"] as unknown as {
        readonly steps: ReadonlyArray<JsonObject>
      }
      assert.deepStrictEqual(
        steps.map(({ params }) => params!),
        [{ router: "aerodrome" }],
      )
      assert.strictEqual(asked, replies.length)
      assert.deepInclude(result.degraded[0], { path: "plan" })
      assert.include(result.degraded[0]!.reason, "invalid_output")
    }),
  )

  it.effect("becomes a question where the words of the request are not understood", () =>
    Effect.gen(function* () {
      const { result } = yield* ran(planning("mechanical", "What do penguins eat?"), replies)
      assert.strictEqual(result.failure?.class, "clarification")
    }),
  )

  it.effect("gives way to the fallback of the stage, else fails the run", () =>
    Effect.gen(function* () {
      const request = "Show me the activity on aerodrome"
      const fallback = ", fallback: { uses: set, with: { value: { plan: { steps: [] } } } }"
      const { result } = yield* ran(planning("fail", request, fallback), replies)
      assert.deepStrictEqual(result.outputs, { plan: { plan: { steps: [] } } })
      assert.isUndefined(result.failure)
      const without = yield* ran(planning("fail", request), replies)
      assert.strictEqual(without.result.failure?.class, "invalid_output")
    }),
  )

  it.live("is asked for again with `retry`, with the reason", () =>
    Effect.gen(function* () {
      const good = {
        plan: { steps: [{ id: "a", tool: "activity", params: { router: "sushi" } }] },
      }
      const retry = ", retry: { max_retries: 1, delay: 1ms, on: [invalid_output] }"
      const given = [...replies, good]
      const { asked, requests, result } = yield* ran(planning("fail", "Look", retry), given)
      assert.isUndefined(result.failure)
      assert.include(JSON.stringify(requests.at(-1)), "Your last reply could not be used")
      assert.strictEqual(asked, replies.length + 1)
    }),
  )
})

const reviewing = (more = "", relax = "activity: [{ limit: { set: 9 } }]") => `
models: { planner: { try: [scripted/one], otherwise: mechanical } }
stages:
  - id: review
    uses: reflect
    model: planner
    with:
      request: What moves?
      plan: { steps: [{ id: a, tool: activity, params: { router: sushi } }, { id: b, tool: activity, params: { router: aerodrome } }] }
      results: { steps: { a: [], b: [1] }, calls: [{ step: a, tool: activity, ok: true, summary: none }, { step: b, tool: activity, ok: true, summary: one }] }
      relax: { ${relax} }${more}
outputs: { review: "\${{ stages.review.output }}" }
`

describe("a reflection whose plan cannot be executed", () => {
  it.effect("gives way to `relax`, degraded", () =>
    Effect.gen(function* () {
      const reply = { strategy: "rewrite", plan: unfit.plan }
      const { result } = yield* ran(reviewing(), [reply])
      const review = result.outputs["review"] as JsonObject
      assert.strictEqual(review["strategy"], "relax")
      assert.deepInclude(result.degraded[0], { path: "review" })
    }),
  )

  it.effect("ends where `relax` gives no plan that can be executed either", () =>
    Effect.gen(function* () {
      const set = reviewing("", "activity: [{ router: { set: uniswap } }]")
      const { result } = yield* ran(set, [prose, prose])
      const review = result.outputs["review"] as JsonObject
      assert.deepStrictEqual([review["done"], review["difference"]], [true, []])
      assert.include(String(review["reasoning"]), "the changed plan cannot be executed")
    }),
  )

  it.effect("is not refused for what was wrong before", () =>
    Effect.gen(function* () {
      const add = {
        op: "add",
        step: "c",
        tool: "activity",
        params: { router: "sushi", limit: 2 },
        rationale: "r",
      }
      const before = reviewing().replace("router: aerodrome }", "router: uniswap }")
      const { asked, result } = yield* ran(before, [{ strategy: "extend", modifications: [add] }])
      assert.strictEqual((result.outputs["review"] as JsonObject)["strategy"], "extend")
      assert.deepStrictEqual([result.degraded, asked], [[], 1])
    }),
  )
})

it.effect("a rule or a wish of a reflection that names no tool is reported by `check`", () =>
  Effect.gen(function* () {
    const problems = yield* problemsOf(`
stages:
  - id: review
    uses: reflect
    with:
      request: What moves?
      plan: { steps: [] }
      results: { steps: {}, calls: [] }
      wishes: { safety: { words: { en: [safe] }, tools: [check_it] } }
      rules: [{ id: follow, when: "true", reason: more, then: [{ id: a, tool: find_it }] }]
outputs: {}
`)
    const missing = problems.filter((one) => one.startsWith("PL4008")).join("\n")
    assert.include(missing, "check_it")
    assert.include(missing, "find_it")
  }),
)
