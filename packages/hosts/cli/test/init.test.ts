/** Projects that `init` writes work at once: without a key, without a network. */
import { execFileSync } from "node:child_process"
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { answeredInTerminal, noTerminal, planloom } from "./planloom.ts"

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "planloom-init-"))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** pnpm runs the tests, but people often call the command by itself. */
const byNpm = { npm_config_user_agent: "" }

const init = (name: string, ...flags: ReadonlyArray<string>) =>
  planloom(["init", name, "--no-install", ...flags], { cwd: folder, env: byNpm })

/** The commands that `init` prints. */
const steps = (stderr: string): ReadonlyArray<string> =>
  stderr
    .slice(stderr.indexOf("next:"))
    .split("\n")
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== "")

describe("planloom init", () => {
  it.each([
    { template: "prompt", provider: "anthropic", key: "ANTHROPIC_API_KEY" },
    { template: "agent", provider: "openai", key: "OPENAI_API_KEY" },
    { template: "approval", provider: "google", key: "GEMINI_API_KEY" },
    { template: "documents", provider: "anthropic", key: "ANTHROPIC_API_KEY" },
    { template: "documents", provider: "none", key: "" },
    { template: "table", provider: "ollama", key: "" },
    { template: "prompt", provider: "none", key: "" },
  ])(
    "writes the project $template for $provider, which passes check, fmt and its tests",
    async ({ key, provider, template }) => {
      const name = `my ${template} ${provider}`
      const made = await init(name, "--template", template, "--provider", provider)
      expect(made.code, made.stderr).toBe(0)
      expect(steps(made.stderr).slice(0, 2)).toEqual([`cd "${name}"`, "npm install"])
      const cwd = join(folder, name)
      const files = await readdir(cwd, { recursive: true })
      for (const file of [
        "README.md",
        "planloom.yaml",
        "AGENTS.md",
        ".gitignore",
        ".github/workflows/planloom.yaml",
        ".planloom/schema/workflow.json",
      ])
        expect(files).toContain(file)
      expect((await readFile(join(cwd, ".env.example"), "utf8")).includes(`${key}=`)).toBe(
        key !== "",
      )
      for (const file of files.filter((one) => /\.(md|ya?ml|example)$/.test(one)))
        expect(await readFile(join(cwd, file), "utf8"), file).not.toMatch(/\{\{\w|undefined/)

      const checked = await planloom(["check", "--max-warnings", "0"], { cwd })
      expect(checked, checked.stdout).toMatchObject({ code: 0, stdout: "" })
      const formatted = await planloom(["fmt", "--check"], { cwd })
      expect(formatted, formatted.stdout).toMatchObject({ code: 0 })
      const tested = await planloom(["test", "--reporter", "json"], { cwd })
      expect(JSON.parse(tested.stdout)).toMatchObject({ passed: 2, failed: 0, broken: 0 })
    },
  )

  it("writes projects that run without a model, and an evaluation whose gates pass", async () => {
    await init("ruled", "--template", "prompt", "--yes")
    const cwd = join(folder, "ruled")
    expect((await planloom(["run", "summarize"], { cwd })).stdout).toContain("Order 4711")
    expect((await planloom(["eval"], { cwd })).code).toBe(0)
    await init("waits", "--template", "approval", "--yes")
    expect((await planloom(["run", "reply"], { cwd: join(folder, "waits") })).code).toBe(4)
  })

  it("writes the table project without a terminal and flags, and prints commands that a shell accepts", async () => {
    const { stderr } = await init("plain")
    expect(steps(stderr)).toEqual([
      "cd plain",
      "npm install",
      "npx planloom check",
      "npx planloom test",
      'npx planloom run analyze --input "question=How did revenue develop by region each month?"',
      "npx planloom eval",
    ])
  })

  it("names the commands of the package manager that runs it", async () => {
    const env = { npm_config_user_agent: "pnpm/12.0.0 npm/? node/v24.0.0" }
    const made = await planloom(["init", "by_pnpm", "--yes", "--no-install"], { cwd: folder, env })
    expect(steps(made.stderr)).toContain("pnpm planloom check")
    const ci = await readFile(join(folder, "by_pnpm/.github/workflows/planloom.yaml"), "utf8")
    expect(ci).toContain("pnpm install --frozen-lockfile")
  })

  it("installs the project, and prints the command again if that fails", async () => {
    const bin = join(folder, "bin")
    await mkdir(bin)
    const npm = join(bin, "npm")
    const env = { ...byNpm, PATH: `${bin}:${process.env["PATH"]}` }
    await writeFile(npm, '#!/bin/sh\necho "$@" > installed\n')
    await chmod(npm, 0o755)
    const made = await planloom(["init", "in", "--yes", "--install"], { cwd: folder, env })
    expect(made.code, made.stderr).toBe(0)
    expect(await readFile(join(folder, "in/installed"), "utf8")).toBe("install\n")
    expect(steps(made.stderr)).not.toContain("npm install")
    await writeFile(npm, "#!/bin/sh\nexit 7\n")
    const failed = await planloom(["init", "out", "--yes"], { cwd: folder, env })
    expect(failed.code).toBe(3)
    expect(failed.stderr).toContain("written, but not installed: npm ended with 7")
    expect(steps(failed.stderr)).toContain("npm install")
  })

  it("refuses a folder with files that it would overwrite, names them and writes nothing", async () => {
    const project = join(folder, "mine")
    await mkdir(join(project, "workflows"), { recursive: true })
    await writeFile(join(project, "package.json"), '{ "name": "mine" }\n')
    await writeFile(join(project, "workflows/analyze.yaml"), "mine\n")
    const again = await init("mine")
    expect(again.code).toBe(1)
    expect(again.stderr).toContain("would overwrite: package.json, workflows/analyze.yaml")
    expect(await readdir(project, { recursive: true })).toHaveLength(3)
    expect(await readFile(join(project, "package.json"), "utf8")).toBe('{ "name": "mine" }\n')
  })

  it("refuses the agent without a provider, and a file where the folder should be", async () => {
    const none = await init("nothing", "--template", "agent")
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("--provider anthropic") })
    await writeFile(join(folder, "file"), "")
    const file = await init("file")
    expect(file).toMatchObject({ code: 3, stderr: expect.stringContaining("cannot be written to") })
  })

  it("commits the schemas for editors and ignores runs and keys", async () => {
    await init("cloned", "--yes")
    const cwd = join(folder, "cloned")
    const git = (...args: ReadonlyArray<string>) =>
      execFileSync("git", args, { cwd, encoding: "utf8" })
    git("init", "--quiet")
    await writeFile(join(cwd, ".env"), "KEY=1\n")
    await writeFile(join(cwd, ".planloom/runs.db"), "")
    git("add", ".")
    const staged = git("diff", "--cached", "--name-only").split("\n")
    expect(staged).toContain(".planloom/schema/workflow.json")
    expect(staged).not.toContain(".env")
    expect(staged).not.toContain(".planloom/runs.db")
    const { stdout } = await planloom(["doctor"], { cwd })
    expect(stdout).toContain("runs in .planloom are ignored")
  })

  it("trusts the code of a new folder, but not of a used one", async () => {
    const body = (name: string) =>
      `apiVersion: planloom/v1\nkind: Workflow\nname: ${name}\nuse: { plugins: [../mine.mjs, "@planloom/stages"] }\nstages: [{ id: a, uses: approve, with: { message: Go on } }]\n`
    const code = `export default { id: "mine", summary: "Mine.", apiVersion: 1, components: {} }\n`
    const checkedIn = async (name: string) => {
      await init(name, "--yes")
      await writeFile(join(folder, name, "workflows/mine.yaml"), body("mine"))
      await writeFile(join(folder, name, "mine.mjs"), code)
      return await planloom(["check", "workflows/mine.yaml"], { cwd: join(folder, name) })
    }
    const fresh = await checkedIn("fresh")
    expect(fresh, fresh.stdout).toMatchObject({ code: 0 })
    await mkdir(join(folder, "used"))
    await writeFile(join(folder, "used/notes.md"), "somebody's\n")
    const asked = await checkedIn("used")
    expect(asked.code).toBe(1)
    expect(asked.stdout).toContain("PL4024")
  })

  it("reads declared secrets from .env, which the environment overrides", async () => {
    await init("keyed", "--template", "prompt", "--provider", "openai")
    const cwd = join(folder, "keyed")
    await writeFile(join(cwd, ".env"), "OPENAI_API_KEY=of the file\n")
    const secret = async (env: { readonly [name: string]: string }) =>
      (await planloom(["doctor"], { cwd, env })).stdout
    expect(await secret({})).toMatch(/Secret OPENAI_API_KEY +is set/)
    expect(await secret({ OPENAI_API_KEY: "" })).toMatch(/Secret OPENAI_API_KEY +is not set/)
  })

  it("reads the variables that flags name from .env, and no other variable", async () => {
    const cwd = join(folder, "flagged")
    await mkdir(join(cwd, "workflows"), { recursive: true })
    await writeFile(
      join(cwd, "workflows/flow.yaml"),
      `apiVersion: planloom/v1
kind: Workflow
name: flow
use: { plugins: ["@planloom/stages"] }
flags: { rounds: { default: 2, maximum: 5, env: ROUNDS }, careful: false }
stages: [{ id: one, uses: set, with: { value: "\${{ flags }}" } }]
outputs: { flags: "\${{ stages.one.output }}" }
`,
    )
    await writeFile(join(cwd, ".env"), "ROUNDS=3\nPLANLOOM_FLAG_CAREFUL=true\n")
    const flags = async (env: { readonly [name: string]: string }) => {
      const { stdout } = await planloom(["run", "flow", "--json"], { cwd, env })
      return (JSON.parse(stdout.trim().split("\n").at(-1)!) as any).outputs.flags
    }
    expect(await flags({})).toEqual({ rounds: 3, careful: false })
    expect(await flags({ ROUNDS: "4" })).toEqual({ rounds: 4, careful: false })
    await writeFile(join(cwd, ".env"), "ROUNDS=9\n")
    const { code, stderr } = await planloom(["run", "flow"], { cwd })
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/ROUNDS.*PL4015|PL4015.*\n?.*must be at most 5/s)
    expect(stderr).not.toContain("9")
  })

  it("writes a test that exits with 100 at a failed assertion, with its line", async () => {
    await init("wrong", "--template", "prompt", "--yes")
    const cwd = join(folder, "wrong")
    const path = join(cwd, "workflows/summarize.test.yaml")
    const text = await readFile(path, "utf8")
    await writeFile(path, text.replace("modelCalls == 1", "modelCalls == 2"))
    const tested = await planloom(["test", "--filter", "returns the sentence"], { cwd })
    expect(tested.code).toBe(100)
    expect(tested.stdout).toMatch(/summarize\.test\.yaml:\d+:\d+/)
    const none = await planloom(["test", "--filter", "no such name"], { cwd })
    expect(none.code).toBe(2)
  })

  it.skipIf(noTerminal !== undefined)("writes nothing after Ctrl-C at a question", async () => {
    // Its terminal is 0 columns wide, so words are broken.
    const at = /◆/
    const shown = await answeredInTerminal(["init", "stopped"], {
      answer: "\u0003",
      at,
      cwd: folder,
    })
    expect(shown).toContain("nothing was written")
    expect(await readdir(folder)).not.toContain("stopped")
  })
})

it("a new project depends on the SDKs that the command is tested with", async () => {
  const root = join(import.meta.dirname, "../../../..")
  const catalog = await readFile(join(root, "pnpm-workspace.yaml"), "utf8")
  for (const [provider, sdk] of [
    ["anthropic", "@anthropic-ai/sdk"],
    ["openai", "openai"],
    ["google", "@google/genai"],
  ] as const) {
    await init(`of_${provider}`, "--template", "table", "--provider", provider)
    const text = await readFile(join(folder, `of_${provider}/package.json`), "utf8")
    const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> }
    for (const name of [sdk, "@duckdb/node-api", "vega", "vega-lite"])
      expect(catalog).toMatch(new RegExp(`^  "?${name}"?: ${dependencies[name]!.slice(1)}$`, "m"))
  }
})
