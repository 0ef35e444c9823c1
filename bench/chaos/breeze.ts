/** Eight runs at once of sixty steps of 100 ms: long enough for a process to be stopped and continued meanwhile. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { definePlugin, stageKind, type JsonObject } from "@planloom/plugin"
import type { Workload } from "./Workload.ts"

const plugin = definePlugin({
  id: "breeze",
  summary: "Work that takes its time.",
  components: {
    stages: [
      stageKind<{ readonly value: number }>({
        id: "increment",
        summary: "Adds one, in 100 ms.",
        input: {
          type: "object",
          properties: { value: { type: "integer" } },
          required: ["value"],
          additionalProperties: false,
        },
        output: { type: "integer" },
        run: ({ value }) => Effect.as(Effect.sleep(100), value + 1),
      }),
    ],
  },
})

const stage = (index: number) =>
  `  - { id: s${index}, uses: increment, with: { value: "\${{ ${index === 0 ? "inputs.n" : `stages.s${index - 1}.output`} }}" } }`

const text = `apiVersion: planloom/v1
kind: Workflow
name: breeze
inputs: { n: { type: integer } }
stages:
${Array.from({ length: 60 }, (_, index) => stage(index)).join("\n")}
outputs: { n: { type: integer, value: "\${{ stages.s59.output }}" } }
`

const file = join(import.meta.dirname, "breeze.yaml")
const runs: { [run: string]: JsonObject } = {}
for (let index = 0; index < 8; index++) runs[`breeze-${index}`] = { n: index }

export const workload: Workload = {
  file,
  options: { extraPlugins: [plugin], texts: new Map([[file, text]]) },
  runs,
}
