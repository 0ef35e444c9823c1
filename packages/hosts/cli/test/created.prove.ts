/** Creates projects and packages from an empty folder with the packed tarballs, and runs every command that is printed. */
import { execFile } from "node:child_process"
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { wireServer, type WireAnswer } from "@planloom/testing"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { startRegistry, type Registry } from "./registry.ts"

const MINUTES = 60_000
const SLOW = { timeout: 5 * MINUTES }

let registry: Registry
let empty: string

beforeAll(async () => {
  registry = await startRegistry(inject("tarballs"))
  // People have spaces in their paths.
  empty = await mkdtemp(join(tmpdir(), "planloom new comer "))
})

afterAll(async () => {
  await registry.close()
  await rm(empty, { recursive: true, force: true })
}, MINUTES)

interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs lines in a shell without a terminal, as a person of another project would have them; ends at the first that fails. */
const shell = (cwd: string, script: string, env: NodeJS.ProcessEnv = {}) =>
  new Promise<Outcome>((resolve) => {
    const ours = /^(npm_|pnpm_|VITEST|NODE_(ENV|PATH|OPTIONS)$|[A-Z]+_API_KEY$)/i
    const inherited = Object.entries(process.env).filter(([name]) => !ours.test(name))
    const options = {
      cwd,
      timeout: 4 * MINUTES,
      env: {
        ...Object.fromEntries(inherited),
        PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
        npm_config_registry: registry.url,
        npm_config_cache: join(empty, ".npm"),
        npm_config_audit: "false",
        npm_config_yes: "true",
        PLANLOOM_STATE_DIR: join(empty, ".state"),
        ...env,
      },
    }
    const child = execFile("bash", ["-e", "-c", script], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    )
    child.stdin?.end()
  })

/** The commands that were printed after `next:`. */
const steps = ({ stderr }: Outcome): ReadonlyArray<string> =>
  stderr
    .slice(stderr.lastIndexOf("\nnext:\n") + "\nnext:\n".length)
    .split("\n")
    .filter((line) => line.startsWith("  "))

/** Creates a project for a model, and runs its printed commands with the model's scripted server. */
const runWithModel = async (
  template: string,
  { base, provider }: { readonly base: string; readonly provider: string },
  answers: ReadonlyArray<WireAnswer>,
) => {
  const name = `${template}_${provider}`
  const made = await shell(
    empty,
    `npm create planloom ${name} -- --template ${template} --provider ${provider}`,
  )
  expect(made, made.stderr).toMatchObject({ code: 0 })
  await using server = await wireServer({ answers })
  const at = `base_url: "${server.url}${base}"`
  const servers = provider === "openai" || provider === "ollama"
  const config = servers ? `servers: { ${provider}: { ${at} } }` : at
  const plugin = provider === "ollama" ? "openai" : provider
  const project = join(empty, name, "planloom.yaml")
  const text = await readFile(project, "utf8")
  const section = /^plugins:$/m.test(text) ? "" : "plugins:\n"
  await writeFile(project, `${text}${section}  "@planloom/provider-${plugin}": { ${config} }\n`)
  // A model server stands in for Ollama, so there is nothing to pull.
  const printed = steps(made).map((line) => (line.includes("ollama pull") ? "true" : line))
  const fillKey = "[ ! -f .env ] || sed -i 's/=$/=a-key/' .env"
  const run = printed.findIndex((line) => line.includes("planloom run"))
  // The key is sent to an address that was written into the project, which a person agrees to.
  const agreed = printed.map((line) => line.replace("planloom run", "planloom run --trust"))
  const script = [...agreed.slice(0, run), fillKey, ...agreed.slice(run)].join("\n")
  const ran = await shell(empty, script)
  expect(ran, ran.stdout + ran.stderr).toMatchObject({ code: 0 })
  return { ...ran, requests: server.requests }
}

const megabytes = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6
}

describe("npm create planloom, from an empty folder", () => {
  it.each([
    { template: "prompt", says: "Order 4711", code: 0 },
    { template: "approval", says: "runs answer", code: 4 },
    { template: "documents", says: "returns.md:3–5 (Returns › Refunds)", code: 0 },
    { template: "table", says: "revenue", code: 0 },
  ])("writes and installs $template, whose printed commands work", SLOW, async (given) => {
    const { code, says, template } = given
    const flags = `--template ${template} --provider none`
    const made = await shell(empty, `npm create planloom "my ${template}" -- ${flags}`)
    expect(made, made.stderr).toMatchObject({ code: 0 })
    const printed = steps(made)
    expect(printed[0]).toBe(`  cd "my ${template}"`)
    expect(printed.length).toBeGreaterThanOrEqual(4)
    const ran = await shell(empty, printed.join("\n"))
    expect(ran, ran.stdout + ran.stderr).toMatchObject({ code })
    expect(ran.stdout + ran.stderr).toContain(says)
  })

  it.each([
    { provider: "anthropic", base: "" },
    { provider: "openai", base: "/v1" },
    { provider: "google", base: "" },
    { provider: "ollama", base: "" },
  ])("writes an agent for $provider that answers once its key is in .env", SLOW, async (given) => {
    const { requests, stdout } = await runWithModel("agent", given, [{ text: "Take an umbrella." }])
    expect(stdout).toContain("Take an umbrella.")
    expect(requests).toHaveLength(1)
  })

  it.each([
    { provider: "anthropic", base: "" },
    { provider: "openai", base: "/v1" },
    { provider: "google", base: "" },
    { provider: "ollama", base: "" },
  ])(
    "writes documents for $provider whose answers cite what was found alone",
    SLOW,
    async (given) => {
      const { requests, stderr, stdout } = await runWithModel("documents", given, [
        { text: "Three days. [9]" },
        { text: "Five working days. [1]" },
      ])
      expect(stdout, stderr).toContain("Five working days. [1]")
      expect(stdout).toContain("[1] returns.md:3–5 (Returns › Refunds)")
      expect(requests).toHaveLength(2)
      expect(JSON.stringify(requests[0])).toContain("working days")
    },
  )

  it("keeps the schemas of a clone and refreshes them with its installation", SLOW, async () => {
    const clone = join(empty, "clone")
    await cp(join(empty, "my prompt"), clone, {
      recursive: true,
      filter: (path) => !path.includes("node_modules"),
    })
    const schema = join(clone, ".planloom/schema/workflow.json")
    const known = await readFile(schema, "utf8")
    await writeFile(schema, "{}")
    const ran = await shell(clone, "npm ci\nnpm run check\nnpm test\nnpm run eval")
    expect(ran, ran.stderr).toMatchObject({ code: 0 })
    expect(await readFile(schema, "utf8")).toBe(known)
  })

  it("refuses a used folder and a missing one, without a terminal", SLOW, async () => {
    const again = await shell(empty, 'npm create planloom "my prompt"')
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("package.json") })
    const none = await shell(empty, "npm create planloom")
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("no folder is given") })
  })
})

it("npx planloom is the command, outside any project", SLOW, async () => {
  const ran = await shell(empty, "npx planloom explain PL4045")
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("PL4045") })
})

describe("the command alone, in an empty folder", () => {
  let alone: string

  beforeAll(async () => {
    alone = await mkdtemp(join(tmpdir(), "planloom-alone-"))
    await writeFile(join(alone, "package.json"), '{ "private": true, "type": "module" }\n')
    const installed = await shell(alone, "npm install @planloom/cli")
    expect(installed, installed.stderr).toMatchObject({ code: 0 })
  }, SLOW.timeout)

  afterAll(() => rm(alone, { recursive: true, force: true }), MINUTES)

  it("takes less than 60 MB", SLOW, async () => {
    const size = await megabytes(join(alone, "node_modules"))
    console.log(`@planloom/cli alone: ${size.toFixed(1)} MB`)
    expect(size).toBeLessThan(60)
  })

  it.each([
    { provider: "anthropic", sdk: "@anthropic-ai/sdk" },
    { provider: "openai", sdk: "openai" },
    { provider: "google", sdk: "@google/genai" },
  ])("names the missing SDK of $provider in check, doctor and run", SLOW, async (given) => {
    const { provider, sdk } = given
    const made = await shell(
      alone,
      `npx planloom init ${provider} --template prompt --provider ${provider} --no-install`,
    )
    expect(made, made.stderr).toMatchObject({ code: 0 })
    const cwd = join(alone, provider)
    const fix = `npm install ${sdk}`
    const checked = await shell(cwd, "npx planloom check")
    expect(checked.code).toBe(0)
    expect(checked.stdout).toContain(`help: ${fix}`)
    const doctor = await shell(cwd, "npx planloom doctor")
    expect(doctor.code).toBe(1)
    expect(doctor.stdout).toContain(`help: ${fix}`)
    const key = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", GEMINI_API_KEY: "k" }
    const ran = await shell(cwd, "npx planloom run summarize", key)
    expect(ran.code).toBe(3)
    expect(ran.stderr).toContain(`${sdk} is not installed: ${fix}`)
  })

  it("names DuckDB where a table is read without it", SLOW, async () => {
    await shell(alone, "npx planloom init table --template table --yes --no-install")
    const ran = await shell(join(alone, "table"), "npx planloom run analyze --input question=Why")
    expect(ran.code).toBe(3)
    expect(ran.stderr).toContain("npm install @duckdb/node-api")
  })

  it.each(["hook", "stage", "tool", "validator", "subagent", "provider"])(
    "new %s writes a package whose printed commands work, and which can be packed, installed and imported",
    SLOW,
    async (kind) => {
      const made = await shell(alone, `npx planloom new ${kind} my_${kind}`)
      expect(made, made.stderr).toMatchObject({ code: 0 })
      const ran = await shell(alone, steps(made).join("\n"))
      expect(ran, ran.stdout + ran.stderr).toMatchObject({ code: 0 })
      expect(ran.stdout).toMatch(/pass [1-9]/)
      const packed = await shell(join(alone, `my_${kind}`), "npm pack --silent")
      expect(packed, packed.stderr).toMatchObject({ code: 0 })
      const installed = await shell(alone, `npm install "./my_${kind}/${packed.stdout.trim()}"`)
      expect(installed, installed.stderr).toMatchObject({ code: 0 })
      const name = `planloom-${kind}-my-${kind}`
      const imported = await shell(
        alone,
        `node --input-type=module -e 'console.log((await import("${name}")).default.id)'`,
      )
      expect(imported, imported.stderr).toMatchObject({ code: 0, stdout: `my_${kind}\n` })
    },
  )
})
