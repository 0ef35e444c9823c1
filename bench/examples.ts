/**
 * What a stage's examples cost each request when not all of them fit: milliseconds of a whole run of one stage that
 * asks once, beside the same run without examples.
 *
 *   node bench/examples.ts [examples …]
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { definePlugin, stageKind, type Provider } from "@planloom/plugin/effect"
import retrieval from "@planloom/retrieval"
import * as Effect from "effect/Effect"
import { loadWorkflow } from "@planloom/embed"

const ROUNDS = 40
const things = [
  "wifi",
  "lamp",
  "music",
  "heating",
  "camera",
  "oven",
  "alarm",
  "blinds",
  "door",
  "fan",
]
const places = ["kitchen", "hall", "garden", "attic", "cellar", "office", "garage", "bath", "porch"]

const provider: Provider = {
  id: "echo",
  summary: "Answers at once.",
  available: Effect.succeed(true),
  generate: () =>
    Effect.succeed({
      text: "yes",
      reasoning: "",
      toolCalls: [],
      finish: "stop",
      usage: { input: 1, output: 1 },
    }),
}
const think = stageKind<{ readonly about: string }>({
  id: "think",
  summary: "Asks a model.",
  input: { type: "object", properties: { about: true }, required: ["about"] },
  output: { type: "string" },
  model: ({ about }, { model }) =>
    Effect.map(model.text({ messages: [{ role: "user", content: about }] }), ({ text }) => text),
})
const plugin = definePlugin({
  id: "bench",
  summary: "A model and a stage.",
  components: { stages: [think], providers: [provider] },
})

const exampleOf = (at: number) => {
  const message = `please turn the ${things[at % things.length]} in the ${places[at % places.length]} number ${at} off`
  return { inputs: { message }, output: "yes" }
}

const folder = mkdtempSync(join(tmpdir(), "planloom-bench-"))
try {
  const sizes = process.argv.slice(2).map(Number)
  console.log("examples  first ms  p50 ms  p95 ms")
  for (const size of sizes.length === 0 ? [0, 20, 200, 2000] : sizes) {
    const examples = Array.from({ length: size }, (_, at) => exampleOf(at))
    writeFileSync(
      join(folder, "examples.yaml"),
      JSON.stringify({ apiVersion: "planloom/v1", kind: "Examples", examples }),
    )
    const use = `examples: { file: examples.yaml, user: "\${{ inputs.message }}", max_tokens: 200 }`
    writeFileSync(
      join(folder, "workflow.yaml"),
      `apiVersion: planloom/v1
kind: Workflow
name: bench
use: { plugins: [retrieval, bench] }
inputs: { message: { type: string } }
stages:
  - id: think
    uses: think
    model: echo/small
    with: { about: "\${{ inputs.message }}" }
    ${size === 0 ? "" : use}
outputs: { said: { type: string, value: "\${{ stages.think.output }}" } }
`,
    )
    const workflow = await loadWorkflow(join(folder, "workflow.yaml"), {
      plugins: { retrieval: async () => retrieval, bench: async () => plugin },
    })
    const times: Array<number> = []
    for (let round = 0; round < ROUNDS; round++) {
      const began = performance.now()
      await workflow.run({ message: `is the ${things[round % things.length]} on?` })
      times.push(performance.now() - began)
    }
    await workflow.close()
    const [first, ...later] = times
    later.sort((a, b) => a - b)
    const at = (share: number) => later[Math.floor(later.length * share)]!.toFixed(2).padStart(8)
    console.log(
      `${String(size).padStart(8)}  ${first!.toFixed(2).padStart(8)}${at(0.5)}${at(0.95)}`,
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
