/**
 * A host with one stage: `startHost.ts build <artefact>` writes the artefact of its workflow, `startHost.ts run <artefact>`
 * loads that and runs it once. What runs then is compiled at once in published bundles.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { loadArtefact } from "../packages/engine/embed/src/artefact.ts"
import { definePlugin, stageKind } from "../packages/contract/plugin/src/effect.ts"

const increment = stageKind<{ readonly value: number }>({
  id: "increment",
  summary: "Adds one.",
  input: {
    type: "object",
    properties: { value: { type: "integer" } },
    required: ["value"],
    additionalProperties: false,
  },
  output: { type: "integer" },
  run: ({ value }) => Effect.succeed(value + 1),
})
const plugin = definePlugin({
  id: "host",
  summary: "Adds one.",
  components: { stages: [increment] },
})
const options = { plugins: { host: async () => plugin } }

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: started
use: { plugins: [host] }
inputs: { n: { type: integer, default: 1 } }
stages:
  - { id: one, uses: increment, with: { value: "\${{ inputs.n }}" } }
  - { id: two, uses: increment, with: { value: "\${{ stages.one.output }}" } }
outputs: { n: { type: integer, value: "\${{ stages.two.output }}" } }
`

const [, , purpose, path] = process.argv
if (path === undefined) throw new Error("usage: startHost.ts build|run <artefact>")
if (purpose === "build") {
  const { artefactOf, checkWorkflow } = await import("../packages/engine/language/src/index.ts")
  const file = join(dirname(path), "started.yaml")
  writeFileSync(file, workflow)
  const {
    diagnostics,
    sources,
    workflow: checked,
  } = await Effect.runPromise(Effect.scoped(checkWorkflow(file, options, "check")))
  if (checked === undefined) throw new Error(JSON.stringify(diagnostics))
  writeFileSync(
    path,
    JSON.stringify(await artefactOf({ workflow: checked, sources, folder: dirname(path) })),
  )
} else {
  const loaded = await loadArtefact(JSON.parse(readFileSync(path, "utf8")) as object, options)
  const outputs = JSON.stringify((await loaded.run({})).outputs)
  if (outputs !== '{"n":3}') throw new Error(outputs)
}
