/** A stranger's project: a plugin with a hook, a tool, an embedder and a store, and the workflow that uses them. */
import { cp, mkdir, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { WireAnswer } from "@planloom/testing"

const plugin = `
import { definePlugin, embedder, hook, tool, toolSource } from "@planloom/plugin"

const text = { type: "string" } as const

const polite = hook({
  id: "polite",
  summary: "Asks for polite answers.",
  point: "section_build",
  kind: "transform",
  input: { type: "object", properties: { words: text }, required: ["words"] },
  run: async (section, { with: { words } }) =>
    section.id === "house" ? { text: section.text + " " + words } : {},
})

const letters = embedder({
  id: "letters",
  summary: "Counts letters.",
  model: "letters/count",
  dimensions: 26,
  embed: async (texts) => ({
    vectors: texts.map((one) => {
      const counts = new Float32Array(26)
      for (const letter of one.toLowerCase().match(/[a-z]/g) ?? []) counts[letter.charCodeAt(0) - 97]! += 1
      return counts
    }),
  }),
})

const weather = tool({
  name: "weather",
  summary: "Tells the weather of a city.",
  effect: "read",
  params: { type: "object", properties: { city: text }, required: ["city"] },
  run: async ({ city }) => ({ city, degrees: 31 }),
})
const stocks = tool({
  name: "stocks",
  summary: "Gives the price of a share.",
  effect: "read",
  params: { type: "object", properties: { share: text }, required: ["share"] },
  run: async () => 12,
})

export default definePlugin({
  id: "stranger",
  summary: "Parts of a stranger.",
  components: {
    hooks: [polite],
    embedders: [letters],
    tools: [toolSource({ id: "desk", summary: "Tools.", tools: [weather, stocks] })],
  },
})
`

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: talk
use:
  plugins: ["@planloom/stages", "@planloom/hooks", "@planloom/retrieval", "@planloom/provider-openai", ./stranger.ts]
models: { talker: { try: [local/small] } }
defaults: { model: talker }
embeddings: letters
prompts: { house: house.md }
modes: { full: { sections: [house] } }
hooks: [{ use: polite, with: { words: Be kind. } }]
inputs: { question: { type: string } }
stages:
  - id: work
    uses: agent
    with: { task: "\${{ inputs.question }}", tools: [{ search: "\${{ inputs.question }}", limit: 1 }] }
  - id: reply
    uses: generate
    prompt: { use: house, mode: full }
    with: { task: Say it., context: "\${{ stages.work.output.text }}" }
outputs:
  tools: { value: "\${{ stages.work.output.calls.map(c, c.tool) }}" }
  text: { type: string, stream: true, value: "\${{ stages.reply.output.text }}" }
`

/** What the model answers: a call, its answer, and a reply that stalls until the server is released. */
export const sliceAnswers: ReadonlyArray<WireAnswer> = [
  { when: "Say it.", text: "It is 31 degrees.", fault: "stall" },
  { when: "degrees", text: "31 degrees" },
  { tool_calls: [{ name: "weather", arguments: { city: "Oslo" } }] },
]

export const writeSlice = async (folder: string, url: string): Promise<void> => {
  const store = join(import.meta.dirname, "../../../../examples/store")
  await mkdir(join(folder, "store"))
  for (const name of await readdir(store)) {
    if (name.endsWith(".ts")) await cp(join(store, name), join(folder, "store", name))
  }
  const project = {
    apiVersion: "planloom/v1",
    kind: "Project",
    plugins: {
      "./store/plugin.ts": { folder: "recorded" },
      "@planloom/provider-openai": { servers: { local: { base_url: `${url}/v1` } } },
    },
    runs: { store: "files" },
  }
  await writeFile(join(folder, "planloom.yaml"), JSON.stringify(project))
  await writeFile(join(folder, "stranger.ts"), plugin)
  await writeFile(join(folder, "house.md"), "You answer for the house.\n")
  await writeFile(join(folder, "talk.yaml"), workflow)
}
