import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { stageKind, type Provider } from "@planloom/plugin/effect"
import { collect } from "../../../test/collect.ts"
import { workflowOf } from "../../../test/inline.ts"

const provider: Provider = {
  id: "openai",
  summary: "Gives a bad plan.",
  generate: () =>
    Effect.succeed({
      text: "bad",
      reasoning: "",
      toolCalls: [],
      finish: "stop",
      usage: { input: 1, output: 1 },
    }),
}

const plan = stageKind<object>({
  id: "draft",
  summary: "Gives the model's plan, or its own.",
  input: { type: "object" },
  output: { type: "string" },
  model: (_, context) =>
    Effect.map(
      context.model.text({ messages: [{ role: "user", content: "?" }] }),
      ({ text }) => text,
    ),
  mechanical: () => Effect.succeed("good"),
})

const run = (otherwise: string, wanted: string) =>
  Effect.gen(function* () {
    const { pipeline } = yield* workflowOf(
      `
models: { m: { try: [openai/any], otherwise: ${otherwise} } }
stages:
  - { id: plan, uses: draft, model: m }
  - id: coverage
    uses: echo
    with: { value: "\${{ stages.plan.output }}" }
    assert:
      - { that: 'stages.plan.output == "${wanted}"', message: refused, on_fail: { rerun: plan, max_reruns: 1 } }
outputs: { plan: "\${{ stages.plan.output }}" }
`,
      { stages: [plan], providers: [provider] },
    )
    return (yield* collect(pipeline)).result
  })

describe("a rerun of a stage whose model is refused until the reruns are used up", () => {
  it.effect("runs once more without the model if the model falls back to rules", () =>
    Effect.gen(function* () {
      const { degraded, outputs, usage } = yield* run("mechanical", "good")
      assert.deepStrictEqual(outputs, { plan: "good" })
      assert.strictEqual(usage.modelCalls, 2)
      assert.deepStrictEqual(degraded, [
        {
          path: "plan~3",
          reason: "assertion: the check in coverage refused what the model gave: refused",
        },
      ])
    }),
  )

  it.effect("fails if the plan without the model is refused, too", () =>
    Effect.gen(function* () {
      const { failure, usage } = yield* run("mechanical", "better")
      assert.strictEqual(failure?.class, "assertion")
      assert.strictEqual(usage.modelCalls, 2)
    }),
  )

  it.effect("fails if the model does not fall back", () =>
    Effect.gen(function* () {
      const { failure, usage } = yield* run("fail", "good")
      assert.strictEqual(failure?.class, "assertion")
      assert.strictEqual(usage.modelCalls, 2)
    }),
  )
})
