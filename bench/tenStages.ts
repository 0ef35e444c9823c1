/** A workflow of ten stages that do nothing, and its plugin: what remains is the cost of the runtime around them. */
import * as Effect from "effect/Effect"
import { definePlugin, stageKind } from "@planloom/plugin/effect"

export const plugin = definePlugin({
  id: "quick",
  summary: "Does nothing.",
  components: {
    stages: [
      stageKind<{ readonly text: string }>({
        id: "echo",
        summary: "Returns its text.",
        input: { type: "object", properties: { text: { type: "string" } } },
        output: { type: "string" },
        run: ({ text }) => Effect.succeed(text),
      }),
    ],
  },
})

const stages = Array.from(
  { length: 10 },
  (_, at) => `  - { id: s${at}, uses: echo, with: { text: "\${{ inputs.text }}" } }`,
)
export const text = `apiVersion: planloom/v1
kind: Workflow
name: quick
use: { plugins: [quick] }
inputs: { text: { type: string } }
stages:
${stages.join("\n")}
outputs: { text: { type: string, value: "\${{ stages.s9.output }}" } }
`
