/** A folder that a stranger wrote names addresses and variables: a value goes there only after a person agreed to the pair. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest"
import { answeredInTerminal, noTerminal, planloom } from "./planloom.ts"

const SECRET = "ZQX-the-value-of-a-variable"

const homes: Array<string> = []
let cwd = ""
let env: { readonly [name: string]: string } = {}
let server: Server
let address = ""
/** Every request, with its headers and its body. */
let seen = ""
let requests = 0

afterAll(async () => {
  for (const folder of homes) await rm(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  const home = await realpath(await mkdtemp(join(tmpdir(), "planloom-sends-")))
  homes.push(home)
  cwd = join(home, "clone")
  env = { PLANLOOM_STATE_DIR: join(home, "state"), AWS_SECRET: SECRET }
  await mkdir(join(cwd, "workflows"), { recursive: true })
  seen = ""
  requests = 0
  server = createServer((request, response) => {
    requests++
    seen += `${request.url}\n${JSON.stringify(request.rawHeaders)}\n`
    request.on("data", (part: Buffer) => (seen += part.toString()))
    request.on("end", () =>
      response.writeHead(400, { "content-type": "application/json" }).end("{}"),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const project = (rest: string) =>
  writeFile(join(cwd, "planloom.yaml"), `apiVersion: planloom/v1\nkind: Project\n${rest}\n`)

const workflow = (plugin: string, stage: string, more = "") =>
  writeFile(
    join(cwd, "workflows/w.yaml"),
    `apiVersion: planloom/v1
kind: Workflow
name: w
use: { plugins: ["@planloom/stages"${plugin === "" ? "" : `, "@planloom/${plugin}"`}]${more} }
secrets: [AWS_SECRET]
stages: [${stage}]
`,
  )

const asking = (model: string) =>
  `{ id: one, uses: generate, model: ${model}, with: { task: Go. } }`

const senders: ReadonlyArray<readonly [what: string, set: () => Promise<void>]> = [
  [
    "provider-openai",
    async () => {
      await project(
        `plugins: { "@planloom/provider-openai": { servers: { local: { base_url: "${address}/v1", key: AWS_SECRET, warm: [m] } } } }`,
      )
      await workflow("provider-openai", asking("local/m"))
    },
  ],
  [
    "provider-openai in place of the service",
    async () => {
      env = { ...env, OPENAI_API_KEY: SECRET }
      await project(
        `plugins: { "@planloom/provider-openai": { servers: { openai: { base_url: "${address}/v1", key: AWS_SECRET } } } }`,
      )
      await workflow("provider-openai", asking("openai/m"))
    },
  ],
  [
    "provider-anthropic",
    async () => {
      await project(
        `plugins: { "@planloom/provider-anthropic": { base_url: "${address}", key: AWS_SECRET } }`,
      )
      await workflow("provider-anthropic", asking("anthropic/m"))
    },
  ],
  [
    "provider-google",
    async () => {
      await project(
        `plugins: { "@planloom/provider-google": { base_url: "${address}", key: AWS_SECRET } }`,
      )
      await workflow("provider-google", asking("google/m"))
    },
  ],
  [
    "tools-http",
    async () => {
      await project(
        `plugins: { "@planloom/tools-http": { hosts: ["${address}"], auth: { "${address}": { bearer: AWS_SECRET } }, private: [127.0.0.1] } }`,
      )
      await workflow(
        "tools-http",
        `{ id: one, uses: call, with: { tool: http_get, params: { url: "${address}/x" } } }`,
      )
    },
  ],
  [
    "mcp",
    async () => {
      await project(
        `mcp: { far: { url: "${address}/mcp", headers: { x-key: { secret: AWS_SECRET } } } }`,
      )
      await workflow("mcp", "{ id: one, uses: call, with: { tool: far.any, params: {} } }")
    },
  ],
  [
    "telemetry",
    async () => {
      env = { ...env, OTEL_EXPORTER_OTLP_HEADERS: `x-key=${SECRET}` }
      await project(`telemetry: { otlp: "${address}" }`)
      await workflow("", "{ id: one, uses: set, with: { value: 1 } }")
    },
  ],
]

const commands = [["run", "w", "--no-store"], ["doctor", "--warm"], ["plan", "w"], ["check"]]

describe("the value of a variable", () => {
  it.each(senders)(
    "does not reach a stranger's address: %s",
    async (_, set) => {
      await set()
      for (const command of commands) {
        for (const flags of [[], ["--no-plugins"]]) {
          await planloom([...command, ...flags], { cwd, env, alone: true })
          expect(seen).not.toContain(SECRET)
        }
      }
    },
    120_000,
  )

  it.each(senders)(
    "reaches it with --trust: %s",
    async (_, set) => {
      await set()
      const { stderr, stdout } = await planloom(["run", "w", "--no-store", "--trust"], {
        cwd,
        env,
        alone: true,
      })
      expect(requests, stderr + stdout).toBeGreaterThan(0)
      expect(seen).toContain(SECRET)
    },
    60_000,
  )

  it.each(senders.slice(0, -1))(
    "is named with the way to send it: %s",
    async (_, set) => {
      await set()
      const { stderr, stdout } = await planloom(["run", "w", "--no-store"], {
        cwd,
        env,
        alone: true,
      })
      expect(stdout + stderr).toMatch(/AWS_SECRET[^]*is not trusted[^]*--trust/)
    },
    60_000,
  )
})

describe.skipIf(noTerminal !== undefined)("a person at a terminal", () => {
  it("is asked for the variable and the address, and once only after y", async () => {
    await senders[0]![1]()
    const args = ["run", "w", "--no-store"]
    const at = /\[y\/N\] /
    const shown = await answeredInTerminal(args, { answer: "\r", at, cwd, env })
    expect(shown).toContain(`AWS_SECRET to ${address}`)
    expect(seen).not.toContain(SECRET)
    await answeredInTerminal(args, { answer: "y\r", at, cwd, env })
    expect(seen).toContain(SECRET)
    seen = ""
    await planloom(args, { cwd, env, alone: true })
    expect(seen).toContain(SECRET)
    // The agreement is for this variable: another one is asked for again.
    await project(
      `plugins: { "@planloom/provider-openai": { servers: { local: { base_url: "${address}/v1", key: OTHER } } } }`,
    )
    seen = ""
    await planloom(args, { cwd, env: { ...env, OTHER: "ZQX-other" }, alone: true })
    expect(seen).not.toContain("ZQX-other")
  }, 90_000)
})
