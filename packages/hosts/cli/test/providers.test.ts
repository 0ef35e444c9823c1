/** A workflow by the command, asking each provider's real SDK over real HTTP. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { wireServer, type WireServer } from "@planloom/testing"
import { planloom, trusting } from "./planloom.ts"

const KEY = "sk-not-a-real-key"

let folder: string
let server: WireServer

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "planloom-providers-"))
  await trusting(folder)
  server = await wireServer({ key: KEY, answers: [{ text: "Sales went up." }] })
})

afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const providers = {
  anthropic: { model: "anthropic/claude-haiku-4-5", secret: "ANTHROPIC_API_KEY" },
  google: { model: "google/gemini-3.5-flash-lite", secret: "GEMINI_API_KEY" },
  openai: { model: "openai/gpt-4.1-mini", secret: "OPENAI_API_KEY" },
}
type Name = keyof typeof providers

/** A project whose one stage asks this provider, at the server's address. */
const project = async (name: Name) => {
  const { model, secret } = providers[name]
  const config =
    name === "openai"
      ? { servers: { openai: { base_url: `${server.url}/v1` } } }
      : { base_url: server.url }
  await mkdir(join(folder, "workflows"))
  await writeFile(
    join(folder, "planloom.yaml"),
    JSON.stringify({
      apiVersion: "planloom/v1",
      kind: "Project",
      plugins: { [`@planloom/provider-${name}`]: config },
    }),
  )
  await writeFile(
    join(folder, "workflows/summarise.yaml"),
    `apiVersion: planloom/v1
kind: Workflow
name: summarise
use: { plugins: ["@planloom/stages", "@planloom/provider-${name}"] }
secrets: [${secret}]
defaults: { model: ${model} }
inputs: { text: { type: string } }
stages:
  - { id: short, uses: generate, with: { task: Say it in one sentence., context: "\${{ inputs.text }}" } }
outputs:
  summary: { type: string, value: "\${{ stages.short.output.text }}" }
`,
  )
  return { [secret]: KEY }
}

const run = (env: Record<string, string>) =>
  planloom(["run", "summarise", "--input", "text=much happened", "--json"], {
    cwd: folder,
    env,
  })

describe.each(Object.keys(providers) as ReadonlyArray<Name>)("%s", (name) => {
  it("answers a workflow without leaking its key", async () => {
    const { code, stderr, stdout } = await run(await project(name))
    expect(stderr).toBe("")
    expect(code).toBe(0)
    expect(stdout).toContain("Sales went up.")
    expect(stdout).not.toContain(KEY)
    expect(server.requests.length).toBe(1)
    expect(JSON.stringify(server.requests[0]!.body)).toContain("much happened")
  })

  it("reports a rejection by its service without leaking its key", async () => {
    const env = await project(name)
    server.answer({ status: 400, message: `no such model, said ${KEY}` })
    const { code, stderr, stdout } = await run(env)
    expect(code).toBe(3)
    expect(stdout + stderr).toContain("no such model")
    expect(stdout + stderr).not.toContain(KEY)
    expect(server.requests.length).toBe(1)
  })

  it("is checked by doctor with its key and without", async () => {
    const env = await project(name)
    const well = await planloom(["doctor"], { cwd: folder, env })
    expect(well.stdout).toMatch(new RegExp(`✓ Provider ${name} +available`))
    const { secret } = providers[name]
    const ill = await planloom(["doctor"], { cwd: folder, env: { [secret]: "" } })
    expect(ill.stdout.replace(/\s+/g, " ")).toContain(
      `! Provider ${name} not available: the key in ${secret} is empty: set it in .env or in the environment`,
    )
    expect(server.requests.length).toBe(0)
  })

  it("is part of list models and list providers with its key and without", async () => {
    const env = await project(name)
    const { secret } = providers[name]
    for (const what of ["models", "providers"]) {
      const list = (given: Record<string, string>) =>
        planloom(["list", what, "summarise"], { cwd: folder, env: given })
      expect((await list(env)).stdout).not.toContain(secret)
      const without = (await list({ [secret]: "" })).stdout.replace(/\s+/g, " ")
      expect(without).toContain(
        `not available: the key in ${secret} is empty: set it in .env or in the environment`,
      )
      const garbled = await list({ [secret]: `${KEY}\n${KEY}` })
      expect(garbled.stdout.replace(/\s+/g, " ")).toContain(`the key in ${secret} cannot be sent`)
      expect(garbled.stdout + garbled.stderr).not.toContain(KEY)
    }
  })
})

describe("a local model", () => {
  it("is not preloaded by chat on a pipe", async () => {
    await using own = await wireServer({ answers: [{ text: "Hello." }] })
    await mkdir(join(folder, "workflows"))
    await writeFile(
      join(folder, "planloom.yaml"),
      `apiVersion: planloom/v1
kind: Project
plugins: { "@planloom/provider-openai": { servers: { local: { base_url: "${own.url}/v1" } } } }
`,
    )
    await writeFile(
      join(folder, "workflows/talk.yaml"),
      `apiVersion: planloom/v1
kind: Workflow
name: talk
use: { plugins: ["@planloom/stages", "@planloom/provider-openai"] }
defaults: { model: local/small }
inputs: { message: { type: string } }
stages: [{ id: answer, uses: generate, with: { task: "\${{ inputs.message }}" } }]
session: { window: 2, request: "\${{ inputs.message }}", assistant: "\${{ stages.answer.output.text }}" }
outputs: { reply: { type: string, value: "\${{ stages.answer.output.text }}" } }
`,
    )
    const { code, stderr, stdout } = await planloom(["chat", "talk"], {
      cwd: folder,
      input: "hi\n",
    })
    expect({ code, stderr, stdout }).toEqual({ code: 0, stderr: "", stdout: "Hello.\n" })
    expect(own.requests.length).toBe(1)
  })
})
