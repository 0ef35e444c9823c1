/** Planloom: a workflow of stages, kept by its SQLite store, as it comes. */
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { definePlugin, stageKind } from "@planloom/plugin/effect"
import { openStore } from "@planloom/store-sqlite"
import { load } from "@planloom/embed"
import { run } from "@planloom/core"
import { file, measure, work } from "./measure.mjs"

const plugin = definePlugin({
  id: "bench",
  summary: "No-op work.",
  components: {
    stages: [
      stageKind({
        id: "increment",
        summary: "Adds one.",
        input: {
          type: "object",
          properties: { value: { type: "integer" } },
          required: ["value"],
          additionalProperties: false,
        },
        output: {
          type: "object",
          properties: { value: { type: "integer" }, text: { type: "string" } },
        },
        run: ({ value }) => Effect.promise(async () => work.output(value)),
      }),
    ],
  },
})
const value = (index) => (index < 0 ? "inputs.n" : `stages.s${index}.output.value`)
const stages = Array.from(
  { length: work.steps },
  (_, index) =>
    `  - { id: s${index}, uses: increment, with: { value: "\${{ ${value(index - 1)} }}" } }`,
)
const text = `apiVersion: planloom/v1
kind: Workflow
name: bench
inputs: { n: { type: integer } }
stages:
${stages.join("\n")}
outputs: { n: { type: integer, value: "\${{ ${value(work.steps - 1)} }}" } }
`
const scope = Scope.makeUnsafe()
const open = (effect) => Effect.runPromise(Scope.provide(effect, scope))
const path = `${import.meta.dirname}/bench.yaml`
const texts = new Map([[path, text]])
const { pipeline } = await open(load(path, { extraPlugins: [plugin], texts }))
const store = await open(openStore(file))
const definition = { file: path, texts: Object.fromEntries(texts) }
await measure(async () => {
  const { outputs } = await Effect.runPromise(run(pipeline, { n: 0 }, { store, definition }))
  return outputs.n
})
