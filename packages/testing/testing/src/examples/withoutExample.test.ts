/** What a stage is shown when one of its examples is the question. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { load } from "@planloom/embed"
import { definePlugin, stageKind } from "@planloom/plugin/effect"
import { scriptedProvider } from "../double/scriptedProvider.ts"
import { withoutExample } from "./withoutExample.ts"

const plan = stageKind({
  id: "plan",
  summary: "Asks a model.",
  input: { type: "object" },
  output: { type: "object" },
  model: () => Effect.succeed({}),
})
const planning = definePlugin({
  id: "planning",
  summary: "Plans.",
  components: { stages: [plan], providers: [scriptedProvider([])] },
})

const texts = new Map([
  [
    "tools.yaml",
    `apiVersion: planloom/v1
kind: Workflow
name: tools
use: { plugins: [planning] }
inputs: { message: { type: string } }
stages:
  - id: group
    stages:
      - id: plan
        uses: plan
        model: scripted/one
        examples: { file: examples.yaml, user: "\${{ inputs.message }}" }
outputs: { tool: { type: object, value: "\${{ stages.group.output.plan }}" } }
`,
  ],
  [
    "examples.yaml",
    `apiVersion: planloom/v1
kind: Examples
examples:
  - { inputs: { message: light on }, output: { tool: light } }
  - { inputs: { message: door shut }, output: { tool: door } }
  - { inputs: { message: light on }, output: { tool: lamp } }
`,
  ],
])

it.effect("withoutExample leaves out the example of the position, and those of the same text", () =>
  Effect.gen(function* () {
    const plugins = { planning: () => Promise.resolve(planning) }
    const { pipeline } = yield* load("tools.yaml", { plugins, texts })
    const shown = (stage: string, position: number) => {
      const [group] = withoutExample(pipeline, stage, position).main.nodes
      const work = group!.work.type === "block" ? group!.work.block.nodes[0]!.work : group!.work
      const examples = work.type === "kind" ? work.examples! : undefined
      assert.strictEqual(examples!.examples.length, examples!.turns().length)
      return examples!.turns().map(({ user }) => user)
    }
    assert.deepStrictEqual(shown("plan", 0), ["door shut"])
    assert.deepStrictEqual(shown("plan", 1), ["light on", "light on"])
    assert.lengthOf(shown("another", 0), 3)
  }),
)
