/** Outputs of stages that an estimate knows before the run. */
import { load } from "@planloom/embed"
import stages from "@planloom/stages"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { withForeseen } from "../../../engine/estimate/src/foreseen.ts"

const known = (list: string, scope: object = { inputs: { topic: "leaves" } }) => {
  const text = `apiVersion: planloom/v1
kind: Workflow
name: w
inputs: { topic: { type: string, default: leaves } }
stages:
${list}
outputs: {}
`
  const loaded = load("w.yaml", { extraPlugins: [stages], texts: new Map([["w.yaml", text]]) })
  return Effect.runPromise(
    Effect.scoped(
      Effect.map(loaded, ({ pipeline }) => withForeseen(scope as never, pipeline.main)["stages"]),
    ),
  )
}

const set = 'uses: set, with: { value: ["${{ inputs.topic }}", 2] }'

describe("the output of a stage", () => {
  it("is known where its `with` decides it, also by way of another stage", async () => {
    expect(
      await known(`  - { id: a, ${set} }
  - { id: b, uses: set, with: { value: "\${{ stages.a.output + [3] }}" } }`),
    ).toEqual({
      a: { outcome: "success", output: ["leaves", 2] },
      b: { outcome: "success", output: ["leaves", 2, 3] },
    })
  })

  it.each([
    ["may be skipped", `  - { id: a, if: inputs.topic == "x", ${set} }`],
    ["runs for each item", `  - { id: a, for_each: { in: "[1]" }, ${set} }`],
    ["may fail while the run continues", `  - { id: a, on_error: continue, ${set} }`],
    [
      "reads what only the run knows",
      "  - { id: a, uses: set, with: { value: '${{ rerun.count }}' } }",
    ],
    ["does not say so", "  - { id: a, uses: wait, with: { for: 1s } }"],
  ])("is not known of a stage that %s", async (_, list) => {
    expect(await known(list)).toBeUndefined()
  })
})
