/**
 * From 30 sections and 100 tools to a request, without a model: `node --expose-gc bench/assembly.ts [rounds]`. CPU µs and
 * allocated bytes per request, least of the rounds, with every tool declared whole.
 */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { definePlugin, stageKind, type JsonSchema } from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import { assemblePrompt, declareTools, systemBlocks } from "@planloom/prompt"

const rounds = Number(process.argv[2] ?? 15)
const SECTIONS = 30
const TOOLS = 100
const CALLS = 2000
/** Few enough that no collection happens while their allocations are counted. */
const COUNTED = 50

const params: JsonSchema = {
  type: "object",
  properties: Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [
      `param_${index}`,
      { type: "string", description: "What the tool needs to know, in one short sentence." },
    ]),
  ),
  required: ["param_0"],
  additionalProperties: false,
}
const tools = Array.from({ length: TOOLS }, (_, index) => ({
  name: `tool_${index}`,
  summary: "Does one of the hundred things that can be done.",
  capabilities: [],
  inputs: {},
  outputs: [],
  params,
}))
const plugin = definePlugin({
  id: "bench",
  summary: "A stage with a prompt, and tools.",
  components: {
    stages: [
      stageKind<object>({
        id: "ask",
        summary: "Asks.",
        input: { type: "object" },
        output: true,
        run: () => Effect.succeed(null),
      }),
    ],
    tools: [
      {
        id: "tools",
        summary: "Tools.",
        list: Effect.succeed({ tools }),
        call: () => Effect.succeed({ value: null }),
      },
    ],
  },
})

const folder = mkdtempSync(join(tmpdir(), "planloom-bench-"))
const sections = Array.from({ length: SECTIONS }, (_, index) => `section_${index}`)
for (const [index, name] of sections.entries()) {
  const rule = "Answer in a few plain sentences, and name the source of every number. ".repeat(4)
  const changes = index >= SECTIONS - 5 ? "The customer is called ${{ inputs.name }}. " : ""
  writeFileSync(join(folder, `${name}.md`), `# Rule ${index}\n\n${changes}${rule}\n`)
}
const file = join(folder, "flow.yaml")
writeFileSync(
  file,
  `apiVersion: planloom/v1
kind: Workflow
name: flow
inputs: { name: { type: string } }
prompts: { ${sections.map((name) => `${name}: ${name}.md`).join(", ")} }
modes: { full: { sections: [${sections.join(", ")}] } }
stages: [{ id: one, uses: ask, prompt: { use: section_0, mode: full } }]
`,
)
const scope = Scope.makeUnsafe()
const { pipeline } = await Effect.runPromise(
  Scope.provide(load(file, { extraPlugins: [plugin] }), scope),
)
const { work } = pipeline.main.nodes[0] as never as {
  readonly work: Parameters<typeof assemblePrompt>[1]["work"]
}
const ask = {
  messages: [{ role: "user" as const, content: "Hello" }],
  tools: tools.map(({ name }) => name),
}
const site: Parameters<typeof assemblePrompt>[1] = {
  work,
  scope: { inputs: { name: "Ada" } },
  pipeline,
  registry: pipeline.tools,
  pinned: undefined,
  isLoop: false,
  hooks: undefined,
  unknownMode: () => undefined,
}

const once = () => {
  const whole = Effect.runSync(assemblePrompt(ask, site))
  const system = systemBlocks(whole.sections)
  const declared = declareTools(whole.offers, site.registry) ?? []
  return { system, declared, messages: ask.messages, sections: whole.sections.length }
}

const timed = (): number => {
  const before = process.cpuUsage()
  for (let call = 0; call < CALLS; call++) once()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / CALLS
}

const allocated = (): number => {
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  for (let call = 0; call < COUNTED; call++) once()
  return (process.memoryUsage().heapUsed - before) / COUNTED
}

const { declared, sections: count, system } = once()
if (count !== SECTIONS || declared.length !== TOOLS) {
  throw new Error(`the request has ${count} sections and ${declared.length} tools`)
}
timed()
const times: Array<number> = []
const bytes: Array<number> = []
for (let round = 0; round < rounds; round++) {
  times.push(timed())
  bytes.push(allocated())
}
console.log(
  `${count} sections in ${system.length} blocks, ${declared.length} tools; least of ${rounds} rounds`,
)
console.log(
  `${Math.min(...times).toFixed(1)} µs, ${(Math.min(...bytes) / 1024).toFixed(1)} KB per request`,
)
await Effect.runPromise(Scope.close(scope, Exit.void))
