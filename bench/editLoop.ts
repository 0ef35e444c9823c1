/** Time from a save to the view of `planloom dev`, beside loading and running: `node bench/editLoop.ts [saves]`. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import process from "node:process"

/** What the view may add to loading and running, in milliseconds. */
const LIMIT_MS = 300

const saves = Number(process.argv[2] ?? 20)
const root = join(import.meta.dirname, "..")
// In the repository, so that its packages are found.
const base = join(root, "packages/hosts/cli/test/fixture/.planloom")
mkdirSync(base, { recursive: true })
const folder = mkdtempSync(join(base, "bench-"))

const plugin = `import { definePlugin, provider } from "@planloom/plugin"
export default definePlugin({
  id: "near",
  summary: "A model that answers at once.",
  components: {
    providers: [
      provider({
        id: "near",
        summary: "Answers.",
        generate: async ({ messages }) => ({ text: messages.at(-1).content, reasoning: "", toolCalls: [], finish: "stop", usage: { input: 1, output: 1 } }),
      }),
    ],
  },
})
`
const stages = Array.from(
  { length: 10 },
  (_, at) => `  - { id: s${at}, uses: generate, prompt: p${at}, with: { task: Say ${at}. } }`,
)
const prompts = stages.map((_, at) => `p${at}: ./p${at}.md`).join(", ")
writeFileSync(join(folder, "plugin.mjs"), plugin)
writeFileSync(
  join(folder, "flow.yaml"),
  `apiVersion: planloom/v1
kind: Workflow
name: flow
use: { plugins: ["@planloom/stages", ./plugin.mjs] }
defaults: { model: near/a }
prompts: { ${prompts} }
stages:
${stages.join("\n")}
`,
)
for (const at of stages.keys()) writeFileSync(join(folder, `p${at}.md`), `Prompt ${at}.\n`)

interface Line {
  readonly edit: number
  readonly stages: ReadonlyArray<{ readonly calls: number }>
  readonly ms: { readonly load: number; readonly run: number; readonly after_save?: number }
}

const child = spawn(
  process.execPath,
  [join(root, "packages/hosts/cli/src/bin.ts"), "dev", "flow.yaml", "--trust", "--json"],
  { cwd: folder, stdio: ["ignore", "pipe", "inherit"] },
)
const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
const next = async (): Promise<Line> => JSON.parse((await lines.next()).value as string) as Line

const added: Array<number> = []
const engine: Array<number> = []
try {
  await next()
  for (let save = 0; save < saves; save++) {
    writeFileSync(join(folder, `p${save % stages.length}.md`), `Prompt ${save}, saved.\n`)
    const { ms, stages: shown } = await next()
    const calls = shown.reduce((sum, stage) => sum + stage.calls, 0)
    if (calls !== 1) throw new Error(`save ${save} made ${calls} calls instead of one`)
    engine.push(ms.load + ms.run)
    added.push(ms.after_save! - ms.load - ms.run)
  }
} finally {
  child.kill("SIGTERM")
  await once(child, "exit")
  rmSync(folder, { recursive: true })
}

const figures = (all: ReadonlyArray<number>): string => {
  const sorted = all.toSorted((a, b) => a - b)
  return `${sorted[0]} / ${sorted[Math.floor(sorted.length / 2)]} / ${sorted.at(-1)} ms`
}
process.stdout.write(`load and run   ${figures(engine)} (least, median, most)\n`)
process.stdout.write(`save to view   ${figures(added)} more; at most ${LIMIT_MS} ms\n`)
if (added.toSorted((a, b) => a - b)[Math.floor(added.length / 2)]! > LIMIT_MS) process.exitCode = 1
