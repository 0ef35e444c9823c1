/** Installs the packed tarballs into an empty project and uses them there, as a stranger would. */
import { execFile, spawn } from "node:child_process"
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest"
import { wireServer } from "@planloom/testing"
import { sliceAnswers, writeSlice } from "./slice.ts"

const MINUTES = 60_000
const SLOW = { timeout: 3 * MINUTES }

/** The empty project that installs the tarballs, and others. */
const folders: Array<string> = []
let project: string

const folder = async (name: string) => {
  const made = await mkdtemp(join(tmpdir(), `planloom-${name}-`))
  folders.push(made)
  return made
}

interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** The environment without what the workspace's own run put there, which would make another package manager's run differ. */
const environment = () => {
  const ours = /^(npm_(lifecycle|package|execpath|command)|pnpm_|VITEST|NODE_(ENV|PATH|OPTIONS)$)/i
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)))
}

/** Runs a program and answers how it ended, whether or not it went well. */
const runIn = (cwd: string, file: string, ...args: ReadonlyArray<string>) =>
  new Promise<Outcome>((resolve) => {
    const options = { cwd, env: environment(), timeout: 3 * MINUTES }
    execFile(file, args, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    )
  })

const run = (file: string, ...args: ReadonlyArray<string>) => runIn(project, file, ...args)

const bin = () => join(project, "node_modules/@planloom/cli/dist/bin.js")

/** The command as a project's scripts find it, on plain Node. */
const planloomIn = (cwd: string, ...args: ReadonlyArray<string>) =>
  runIn(cwd, process.execPath, bin(), ...args)

const planloom = (...args: ReadonlyArray<string>) => planloomIn(project, ...args)

beforeAll(async () => {
  const tarballs = inject("tarballs")
  project = await folder("project")
  await writeFile(join(project, "package.json"), '{ "private": true, "type": "module" }\n')
  const quiet = ["--no-audit", "--no-fund", "--prefer-offline"]
  const installed = await run("npm", "install", ...quiet, ...tarballs)
  if (installed.code !== 0) throw new Error(`npm install\n${installed.stdout}${installed.stderr}`)
}, 5 * MINUTES)

afterAll(async () => {
  for (const made of folders) await rm(made, { recursive: true, force: true })
}, MINUTES)

describe("the packed command, in an empty project", () => {
  it("says its version", SLOW, async () => {
    const manifest = join(import.meta.dirname, "../package.json")
    const { version } = JSON.parse(await readFile(manifest, "utf8")) as { version: string }
    const said = await run("./node_modules/.bin/planloom", "--version")
    expect(said).toMatchObject({ code: 0, stdout: `planloom v${version}\n` })
  })

  it(
    "writes a hook whose conformance suite passes, and configures it from a hook set",
    SLOW,
    async () => {
      expect((await planloom("new", "hook", "polite")).code).toBe(0)
      const tested = await runIn(join(project, "polite"), process.execPath, "--test")
      expect(tested).toMatchObject({ code: 0, stdout: expect.stringMatching(/pass [3-9]/) })
      await writeFile(
        join(project, "set.yaml"),
        "apiVersion: planloom/v1\nkind: HookSet\nname: set\nhooks: [{ use: polite, with: { section: persona, words: Be kind. } }]\n",
      )
      await writeFile(
        join(project, "polite.yaml"),
        `apiVersion: planloom/v1
kind: Workflow
name: talk
use: { plugins: ["@planloom/stages", "@planloom/hooks", ./polite/plugin.ts], files: [set.yaml] }
stages: [{ id: say, uses: approve, with: { message: Hello } }]
`,
      )
      const order = await planloom("list", "hooks", "polite.yaml", "--order", "--trust")
      expect(order, order.stderr).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/section_build say\n +1 +polite/),
      })
    },
  )

  it.each(["stage", "tool", "validator", "subagent"])(
    "writes a %s whose conformance suite passes, and a workflow that checks",
    SLOW,
    async (kind) => {
      const name = `new_${kind}`
      expect((await planloom("new", kind, name)).code).toBe(0)
      const tested = await runIn(join(project, name), process.execPath, "--test")
      expect(tested).toMatchObject({ code: 0, stdout: expect.stringMatching(/pass ([3-9]|1\d)/) })
      const readme = await readFile(join(project, name, "README.md"), "utf8")
      const workflow = /```yaml\n(.*?)```/s.exec(readme)![1]!
      await writeFile(join(project, `${name}.yaml`), workflow)
      const checked = await planloom("check", `${name}.yaml`, "--trust")
      expect(checked, checked.stdout + checked.stderr).toMatchObject({ code: 0 })
    },
  )

  it("lists its commands", SLOW, async () => {
    const said = await planloom("--help")
    expect(said.code).toBe(0)
    for (const command of ["init", "check", "run", "test"]) expect(said.stdout).toContain(command)
  })

  it.each([
    { template: "prompt", args: ["summarize"], answer: "Order 4711" },
    {
      template: "table",
      args: ["analyze", "--input", "question=How did revenue develop by region each month?"],
      answer: "revenue",
    },
  ])("writes, checks, runs and tests the $template project", SLOW, async (given) => {
    const shop = join(project, `shop_${given.template}`)
    const flags = ["--template", given.template, "--yes", "--no-install"]
    const wrote = await planloom("init", shop, ...flags)
    expect(wrote, wrote.stderr).toMatchObject({ code: 0 })

    const checked = await planloomIn(shop, "check")
    expect(checked, checked.stdout + checked.stderr).toMatchObject({ code: 0 })

    const ran = await planloomIn(shop, "run", ...given.args)
    expect(ran, ran.stdout + ran.stderr).toMatchObject({ code: 0 })
    expect(ran.stdout).toContain(given.answer)

    const tested = await planloomIn(shop, "test")
    expect(tested, tested.stdout + tested.stderr).toMatchObject({ code: 0 })
    expect(tested.stdout + tested.stderr).toMatch(/[1-9]\d* passed, 0 failed/)
  })

  it("matches regular expressions, whose engine is outside the bundle", SLOW, async () => {
    const shop = join(project, "shop_pattern")
    await planloom("init", shop, "--template", "table", "--yes", "--no-install")
    const source = `apiVersion: planloom/v1
kind: Workflow
name: pattern
use:
  plugins: ["@planloom/stages", "@planloom/tools-data"]
inputs:
  word: { type: string }
stages:
  - id: profile
    uses: call
    with: { tool: describe, params: { path: data/sales.csv } }
outputs:
  fits: { type: boolean, value: "\${{ re_match(inputs.word, '^pl.n$') }}" }
`
    await writeFile(join(shop, "workflows/pattern.yaml"), source)
    for (const [word, fits] of [
      ["plan", "true"],
      ["plain", "false"],
    ]) {
      const ran = await planloomIn(shop, "run", "pattern", "--input", `word=${word}`)
      expect(ran, ran.stdout + ran.stderr).toMatchObject({ code: 0 })
      expect(ran.stdout).toContain(fits)
    }
  })

  it.each([
    ["anthropic", "", "/v1/messages"],
    ["google", "", "/v1beta/models/"],
    ["openai", "/v1", "/v1/chat/completions"],
  ])(
    "asks %s through the SDK that was installed with it",
    { timeout: MINUTES },
    async (name, base, path) => {
      await using server = await wireServer({ answers: [{ text: "Sales went up." }] })
      const own = await folder("asking")
      const at = { base_url: `${server.url}${base}`, key: "TEST_KEY" }
      await writeFile(
        join(own, "planloom.yaml"),
        JSON.stringify({
          apiVersion: "planloom/v1",
          kind: "Project",
          plugins: {
            [`@planloom/provider-${name}`]: name === "openai" ? { servers: { openai: at } } : at,
          },
        }),
      )
      await writeFile(
        join(own, "asks.yaml"),
        JSON.stringify({
          apiVersion: "planloom/v1",
          kind: "Workflow",
          name: "asks",
          use: { plugins: ["@planloom/stages", `@planloom/provider-${name}`] },
          secrets: ["TEST_KEY"],
          defaults: { model: `${name}/small` },
          stages: [{ id: "short", uses: "generate", with: { task: "Say it in one sentence." } }],
          outputs: { text: { value: "${{ stages.short.output.text }}" } },
        }),
      )
      vi.stubEnv("TEST_KEY", "not-a-real-key")
      const said = await planloomIn(own, "run", "--trust", "asks.yaml")
      expect(said.stdout, said.stderr).toContain("Sales went up.")
      expect(server.requests[0]?.path).toContain(path)
    },
  )
})

describe("a stranger's plugin, beside the packed command", () => {
  it("has its hook, tool, embedder and store act in one streamed run", SLOW, async () => {
    await using server = await wireServer({ answers: sliceAnswers })
    const own = join(project, "slice")
    await mkdir(own)
    await writeSlice(own, server.url)
    const args = ["run", "talk.yaml", "--trust", "--json", "--input", "question=weather in Oslo"]
    const child = spawn(process.execPath, [bin(), ...args], { cwd: own, env: environment() })
    let stdout = ""
    let stderr = ""
    child.stderr.on("data", (data) => (stderr += String(data)))
    child.stdout.on("data", (data) => {
      stdout += String(data)
      // The reply ends only after its first text has been written.
      if (stdout.includes('"text":"It is 31"')) server.release()
    })
    const code = await new Promise((resolve) => child.on("close", resolve))
    expect(code, stdout + stderr).toBe(0)

    const written = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const { outputs, run: id } = written.at(-1) as {
      readonly outputs: unknown
      readonly run: string
    }
    expect(outputs).toEqual({ tools: ["weather"], text: "It is 31 degrees." })
    expect(written).toContainEqual(
      expect.objectContaining({ type: "ModelCalled", model: "letters/count" }),
    )
    const [work, , reply] = server.requests.map(({ body }) => JSON.stringify(body))
    expect(work).not.toContain("stocks")
    expect(reply).toContain("You answer for the house. Be kind.")

    const recorded = await readdir(join(own, "recorded"))
    expect(recorded.filter((name) => name.startsWith("run-"))).toHaveLength(1)
    const shown = await planloomIn(own, "runs", "show", id, "--trust", "--json")
    expect(JSON.parse(shown.stdout), shown.stderr).toMatchObject({ status: "succeeded" })
  })
})

describe("the packed libraries, in an empty project", () => {
  it("run a workflow from its artefact with at most 7 files of Planloom", SLOW, async () => {
    const own = join(project, "host")
    await mkdir(own)
    const files = {
      "plugin.js": `import * as Effect from "effect/Effect"
import { definePlugin, stageKind } from "@planloom/plugin/effect"
const one = stageKind({ id: "one", summary: "One.", input: { type: "object" }, output: { type: "integer" }, run: () => Effect.succeed(1) })
export default definePlugin({ id: "plain", summary: "One.", components: { stages: [one] } })
`,
      "plain.yaml": `apiVersion: planloom/v1
kind: Workflow
name: plain
use: { plugins: [./plugin.js] }
stages: [{ id: one, uses: one }]
outputs: { one: { type: integer, value: "\${{ stages.one.output }}" } }
`,
      "listed.js": `import { registerHooks } from "node:module"
const loaded = []
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
process.on("exit", () => console.log(JSON.stringify(loaded)))
`,
      "host.js": `import { readdirSync } from "node:fs"
import { loadArtefact } from "@planloom/embed/artefact"
const workflow = await loadArtefact("dist/" + readdirSync("dist")[0])
console.log(JSON.stringify((await workflow.run({})).outputs))
`,
    }
    for (const [name, text] of Object.entries(files)) await writeFile(join(own, name), text)
    const built = await planloomIn(own, "build", "--trust", "plain.yaml")
    expect(built, built.stderr).toMatchObject({ code: 0 })
    const ran = await runIn(own, process.execPath, "--import", "./listed.js", "host.js")
    expect(ran, ran.stderr).toMatchObject({ code: 0 })
    const [outputs, loaded] = ran.stdout.trim().split("\n")
    expect(outputs).toBe('{"one":1}')
    const ours = (JSON.parse(loaded!) as Array<string>).filter((url) => url.includes("/@planloom/"))
    expect(ours.length).toBeGreaterThan(2)
    expect(ours.length, ours.join("\n")).toBeLessThanOrEqual(7)
  })

  it.each([
    "schema",
    "plugin",
    "plugin/duration",
    "plugin/facts",
    "plugin/needs",
    "tables",
    "planning",
    "expression",
    "prompt",
    "prompt/compile",
    "prompt/tokens",
    "language",
    "language/artefact",
    "language/shape",
    "embed",
    "embed/artefact",
    "record",
    "record/export",
    "record/follow",
    "record/replay",
    "record/reset",
    "record/worker",
    "core",
    "core/internal",
    "core/stream",
    "estimate",
    "server",
    "stage-kit",
    "stages",
    "analyst",
    "retrieval",
    "testing",
    "tools-data",
    "tools-files",
    "tools-http",
    "tools-http/openapi",
    "provider-kit",
    "provider-anthropic",
    "provider-google",
    "provider-openai",
    "provider-effect",
  ])("@planloom/%s can be imported", SLOW, async (name) => {
    const program = `console.log(typeof await import("@planloom/${name}"))`
    const said = await run(process.execPath, "--input-type=module", "-e", program)
    expect(said, said.stderr).toMatchObject({ code: 0, stdout: "object\n" })
  })
})
