/**
 * Cold start of the packed packages: `node bench/start.ts [rounds]`. Packs them, installs the tarballs into an
 * empty project, and starts processes there: bare Node, bare Effect, hosts that load a workflow and run it once,
 * and the command.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build as bundle } from "esbuild"
import { pack } from "../.ci/pack.ts"

const rounds = Number(process.argv[2] ?? 9)
const project = mkdtempSync(join(tmpdir(), "planloom-start-"))
const write = (name: string, text: string) => writeFileSync(join(project, name), text)

/**
 * Printed by the process itself when all is done: its own CPU, and then its largest memory. `maxRSS` begins at the memory
 * of the process that spawned it, so Linux is asked for `VmHWM`, which begins with the new program.
 */
const account = `const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
const { existsSync, readFileSync, writeSync } = process.getBuiltinModule("node:fs")
const status = "/proc/self/status"
const peak = existsSync(status) ? Number(/VmHWM:\\s*(\\d+)/.exec(readFileSync(status, "utf8"))[1]) : maxRSS
writeSync(1, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, rss: peak / 1024 }) + "\\n")
`

/** The command accounts for itself when it exits. Node reads one more file, which takes under 1 ms. */
const command = ["--require", "./account.cjs", "node_modules/@planloom/cli/dist/bin.js"]

const plugin = `import * as Effect from "effect/Effect"
import { definePlugin, stageKind } from "@planloom/plugin/effect"
export default definePlugin({ id: "noop", summary: "Adds one.", components: { stages: [stageKind({
  id: "increment",
  summary: "Adds one.",
  input: { type: "object", properties: { value: { type: "integer" } }, required: ["value"], additionalProperties: false },
  output: { type: "integer" },
  run: ({ value }) => Effect.succeed(value + 1),
})] } })
`

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: noop
use: { plugins: [./plugin.js] }
inputs: { n: { type: integer, default: 1 } }
stages:
${Array.from(
  { length: 10 },
  (_, index) =>
    `  - { id: s${index}, uses: increment, with: { value: "\${{ ${index === 0 ? "inputs.n" : `stages.s${index - 1}.output`} }}" } }`,
).join("\n")}
outputs: { n: { type: integer, value: "\${{ stages.s9.output }}" } }
`

const contestants: ReadonlyArray<{ readonly name: string; readonly args: ReadonlyArray<string> }> =
  [
    { name: "bare Node, 10 async functions", args: ["plain.js"] },
    { name: "bare Effect, deep imports", args: ["bare_effect.js"] },
    { name: "host from YAML: load, check, first run", args: ["from_yaml.js"] },
    { name: "host from an artefact, first run", args: ["from_artefact.js"] },
    { name: "the same, with Node's compile cache", args: ["cached.js"] },
    { name: "the same, bundled, with compile cache", args: ["bundled/start.js"] },
    { name: "planloom --help", args: [...command, "--help"] },
    {
      name: "planloom check",
      args: [...command, "check", "--trust", "workflow.yaml"],
    },
    {
      name: "planloom run (no-op)",
      args: [...command, "run", "--trust", "workflow.yaml"],
    },
  ]

interface Figures {
  readonly wall: number
  readonly cpu: number
  readonly rss: number
}

const once = (args: ReadonlyArray<string>): Figures => {
  const began = performance.now()
  const { status, stderr, stdout } = spawnSync(process.execPath, [...args], {
    cwd: project,
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production", NO_COLOR: "1" },
  })
  const wall = performance.now() - began
  if (status !== 0) throw new Error(`${args.join(" ")}\n${stdout}${stderr}`)
  const last = stdout.trimEnd().split("\n").at(-1) ?? ""
  return { wall, ...(JSON.parse(last) as Omit<Figures, "wall">) }
}

const median = (values: ReadonlyArray<number>) =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!

try {
  const packed = join(project, "packed")
  mkdirSync(packed)
  const tarballs = await pack(packed)
  write("package.json", '{ "private": true, "type": "module" }\n')
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...tarballs], {
    cwd: project,
    stdio: "ignore",
  })
  write("plugin.js", plugin)
  write("workflow.yaml", workflow)
  write(
    "plain.js",
    `let x = 1\nfor (let i = 0; i < 10; i++) x = await (async (v) => v + 1)(x)\n${account}`,
  )
  write(
    "bare_effect.js",
    `import * as Effect from "effect/Effect"
await Effect.runPromise(Effect.gen(function* () {
  let x = 1
  for (let i = 0; i < 10; i++) x = yield* Effect.succeed(x + 1)
}))
${account}`,
  )
  const host = (load: string) => `${load}
const { outputs } = await workflow.run({})
if (outputs.n !== 11) throw new Error("wrong")
${account}`
  write(
    "from_yaml.js",
    host(`import { loadWorkflow } from "@planloom/embed"
const workflow = await loadWorkflow("workflow.yaml")`),
  )
  write("account.cjs", `process.on("exit", () => {\n${account}})\n`)
  once([...command, "build", "--trust", "workflow.yaml"])
  const artefact = readdirSync(join(project, "dist"))[0]!
  write(
    "from_artefact.js",
    host(`import { loadArtefact } from "@planloom/embed/artefact"
const workflow = await loadArtefact("dist/${artefact}")`),
  )
  write(
    "host.js",
    host(`import { loadArtefact } from "@planloom/embed/artefact"
const plugins = { "./plugin.js": async () => (await import("./plugin.js")).default }
const workflow = await loadArtefact("dist/${artefact}", { plugins })`),
  )
  const cached = (entry: string) => `import { enableCompileCache } from "node:module"
enableCompileCache("compile_cache")
await import("./${entry}")
`
  write("cached.js", cached("from_artefact.js"))
  write("start.js", cached("host.js"))
  await bundle({
    absWorkingDir: project,
    entryPoints: ["start.js"],
    outdir: "bundled",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    minify: true,
    keepNames: true,
    logLevel: "warning",
  })
  const figures = contestants.map(() => [] as Array<Figures>)
  for (let round = 0; round <= rounds; round++) {
    contestants.forEach(({ args }, index) => {
      const figure = once(args)
      if (round > 0) figures[index]!.push(figure)
    })
  }
  console.log(`minimum / median of ${rounds} interleaved rounds\n`)
  console.log("| start | wall ms | CPU ms | peak RSS MB |\n|---|---:|---:|---:|")
  contestants.forEach(({ name }, index) => {
    const of = (pick: (figure: Figures) => number) => {
      const values = figures[index]!.map(pick)
      return `${Math.min(...values).toFixed(0)} / ${median(values).toFixed(0)}`
    }
    console.log(
      `| ${name} | ${of(({ wall }) => wall)} | ${of(({ cpu }) => cpu)} | ${of(({ rss }) => rss)} |`,
    )
  })
} finally {
  rmSync(project, { recursive: true, force: true })
}
