/** Loops that execute a plan, look at its results and plan again. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { run } from "@planloom/core"
import { check, load } from "@planloom/embed"
import { definePlugin, type JsonObject } from "@planloom/plugin/effect"
import stages from "@planloom/stages"
import { scriptedProvider, stubTools } from "@planloom/testing"
import { writeWorkflow } from "./inlineWorkflow.ts"

const value =
  "{ type: object, required: [done, plan], properties: { done: { type: boolean }, plan: { type: object } } }"

/** The stage in the place of a reflection, and the output of it that the loop reads. */
const reflections = {
  generate: [`uses: generate, with: { task: Look., schema: ${value} }`, "output.value"],
  agent: [`uses: agent, with: { task: Look., tools: [look], result: ${value} }`, "output.value"],
  set: ['uses: set, with: { value: { done: true, plan: "${{ iter.plan }}" } }', "output"],
  call: ["uses: call, with: { tool: reflect, params: {} }", "output"],
} as const

const loop = (kind: keyof typeof reflections, more = ""): string => {
  const [stage, output] = reflections[kind]
  const isSure = kind !== "agent"
  const read = (field: string) => `stages.reflection.${output}.${field}`
  const until = isSure ? read("done") : `has(stages.reflection.${output}) && ${read("done")}`
  const plan = isSure
    ? read("plan")
    : `has(stages.reflection.${output}) ? ${read("plan")} : iter.plan`
  return `defaults: { model: scripted/one }
stages:
  - id: work
    repeat:
      carry: { plan: "\${{ {'steps': [{'id': 'a', 'tool': 'look', 'inputs': {}, 'params': {'n': 1}, 'satisfies': []}]} }}" }
      until: ${until}
      next: { plan: '\${{ ${plan} }}' }
      max_iterations: 3
      on_exhausted: continue${more}
    stages:
      - { id: results, uses: execute, with: { plan: "\${{ iter.plan }}", max_parallel: 4, on_step_error: keep }, timeout: 2m }
      - { id: reflection, ${stage} }
outputs: { stopped: "\${{ stages.work.output.stopped }}", rounds: "\${{ stages.work.output.iterations }}", failed: "\${{ stages.results.output.failed }}" }
`
}

const step = (n: number, tool = "look") => ({
  id: "a",
  tool,
  inputs: {},
  params: { n },
  satisfies: [],
})

const ran = (body: string, replies: ReadonlyArray<JsonObject>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const provider = scriptedProvider(replies.map((reply) => ({ json: reply })))
      const tools = stubTools({
        look: { result: { found: 1 }, tool: { effect: "read" } },
        reflect: { result: { done: true, plan: { steps: [] } }, tool: { effect: "read" } },
      })
      const extra = definePlugin({
        id: "world",
        summary: "A model and tools.",
        components: { providers: [provider], tools: [tools] },
      })
      const path = writeWorkflow(body)
      const options = { extraPlugins: [stages, extra] }
      const { diagnostics } = yield* check(path, options)
      const { pipeline } = yield* load(path, options)
      return { diagnostics, result: yield* run(pipeline, {}), calls: tools.calls }
    }),
  )

describe("a loop over a plan", () => {
  for (const kind of Object.keys(reflections) as ReadonlyArray<keyof typeof reflections>) {
    it.effect(`passes check with ${kind} in the place of a reflection`, () =>
      Effect.gen(function* () {
        const replies = kind === "generate" || kind === "agent" ? [{ done: true, plan: {} }] : []
        const { diagnostics, result } = yield* ran(loop(kind), replies)
        assert.deepStrictEqual(diagnostics, [])
        assert.deepInclude(result.outputs, { stopped: "done", rounds: 1 })
      }),
    )
  }

  it.effect("ends after a round whose plan has no call that was not made before", () =>
    Effect.gen(function* () {
      const again = [step(2), step(1), step(3)].map((one) => ({
        done: false,
        plan: { steps: [one] },
      }))
      const { calls, result } = yield* ran(loop("generate", "\n      on_no_new_call: end"), [
        again[0]!,
        again[1]!,
        again[2]!,
      ])
      assert.deepInclude(result.outputs, { stopped: "no_new_call", rounds: 3 })
      assert.deepStrictEqual(
        calls.map(({ params }) => params),
        [{ n: 1 }, { n: 2 }],
      )
    }),
  )

  it.effect("sees what a round could not call, and keeps the last whole round", () =>
    Effect.gen(function* () {
      const { result } = yield* ran(loop("generate", "\n      on_round_error: keep"), [
        { done: false, plan: { steps: [step(1, "nothing")] } },
        { done: false, plan: { steps: [] } },
      ])
      assert.deepInclude(result.outputs, { stopped: "round_failed", rounds: 2 })
      assert.deepInclude((result.outputs["failed"] as ReadonlyArray<JsonObject>)[0], {
        tool: "nothing",
        class: "invalid_request",
      })
      assert.deepInclude(result.degraded[0], { path: "work", after: "last_round" })
    }),
  )
})
