/** A workload whose runs add one in each of their steps, which take a given time. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { definePlugin, stageKind, type JsonObject } from "@planloom/plugin/effect"
import type { Workload } from "./Workload.ts"

export interface Increments {
  readonly name: string
  /** Runs at once. */
  readonly runs: number
  readonly steps: number
  /** Milliseconds of each step. */
  readonly ms: number
}

export const increments = ({ ms, name, runs: count, steps }: Increments): Workload => {
  const plugin = definePlugin({
    id: name,
    summary: "Work that takes its time.",
    components: {
      stages: [
        stageKind<{ readonly value: number }>({
          id: "increment",
          summary: `Adds one, in ${ms} ms.`,
          input: {
            type: "object",
            properties: { value: { type: "integer" } },
            required: ["value"],
            additionalProperties: false,
          },
          output: { type: "integer" },
          run: ({ value }) => Effect.as(Effect.sleep(ms), value + 1),
        }),
      ],
    },
  })

  const stage = (index: number) =>
    `  - { id: s${index}, uses: increment, with: { value: "\${{ ${index === 0 ? "inputs.n" : `stages.s${index - 1}.output`} }}" } }`

  const text = `apiVersion: planloom/v1
kind: Workflow
name: ${name}
inputs: { n: { type: integer } }
stages:
${Array.from({ length: steps }, (_, index) => stage(index)).join("\n")}
outputs: { n: { type: integer, value: "\${{ stages.s${steps - 1}.output }}" } }
`

  const file = join(import.meta.dirname, `${name}.yaml`)
  const runs: { [run: string]: JsonObject } = {}
  for (let index = 0; index < count; index++) runs[`${name}-${index}`] = { n: index }

  return {
    file,
    options: { extraPlugins: [plugin], texts: new Map([[file, text]]) },
    runs,
  }
}
