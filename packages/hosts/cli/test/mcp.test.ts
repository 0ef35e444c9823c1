/** `planloom mcp serve` end to end: a client of the SDK starts the command, and a hostile one does. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process"
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { afterAll, afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest"
import { codeBlocks } from "../../../../.ci/docs/codeBlocks.ts"
import { PipeTransport } from "../../mcp-server/test/PipeTransport.ts"
import { childEnvironment, fixture, planloom, serve, trusting } from "./planloom.ts"

const workflow = (name: string, rest: string) =>
  `apiVersion: planloom/v1\nkind: Workflow\nname: ${name}\n${rest}`

const plugin = `import { definePlugin, stageKind } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"

const loud = stageKind({
  id: "loud",
  summary: "Writes to standard output by every means.",
  input: { type: "object" },
  output: { type: "string" },
  run: () =>
    Effect.sync(() => {
      console.log("by the console")
      process.stdout.write("by the stream\\n")
      return "done"
    }),
})

export default definePlugin({ id: "loud", summary: "Loud.", components: { stages: [loud] } })
`

const folders: Array<string> = []
const children: Array<ChildProcessWithoutNullStreams> = []
let cwd: string

beforeEach(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  cwd = await mkdtemp(join(fixture, ".planloom", "mcp-"))
  folders.push(cwd)
  await trusting(cwd)
  await cp(join(fixture, "plugin.ts"), join(cwd, "plugin.ts"))
  await writeFile(join(cwd, "loud.ts"), plugin)
  await mkdir(join(cwd, "workflows"))
  await writeFile(
    join(cwd, "workflows/loud.yaml"),
    workflow(
      "loud",
      'use: { plugins: [../loud.ts] }\nstages: [{ id: a, uses: loud }]\noutputs: { said: { value: "${{ stages.a.output }}" } }\n',
    ),
  )
  await writeFile(
    join(cwd, "workflows/slow.yaml"),
    workflow(
      "slow",
      'use: { plugins: [../plugin.ts] }\ninputs: { ms: { type: integer, default: 300 } }\nstages:\n  - { id: first, uses: wait, with: { ms: "${{ inputs.ms }}" } }\n  - { id: second, uses: wait, with: { ms: 100 } }\noutputs: { waited: { value: "${{ stages.second.output.waited }}" } }\n',
    ),
  )
})

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL")
})

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

const start = (args: ReadonlyArray<string> = [], folder = cwd) => {
  const child = spawn(process.execPath, [inject("commandBin"), "mcp", "serve", ...args], {
    cwd: folder,
    env: childEnvironment,
  })
  children.push(child)
  let stderr = ""
  let stdout = ""
  child.stderr.on("data", (data: Buffer) => (stderr += data.toString()))
  child.stdout.on("data", (data: Buffer) => (stdout += data.toString()))
  // It may have ended.
  child.stdin.on("error", () => undefined)
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
  return { child, ended, stderr: () => stderr, stdout: () => stdout }
}

const connected = async (
  args: ReadonlyArray<string> = [],
  version?: string,
  folder: string = cwd,
) => {
  const started = start(args, folder)
  const client = new Client(
    { name: "test", version: "1" },
    version === undefined ? {} : { versionNegotiation: { mode: { pin: version } } },
  )
  await client.connect(new PipeTransport(started.child.stdout, started.child.stdin))
  return { ...started, client }
}

const runs = async () =>
  JSON.parse((await planloom(["runs", "list", "--json"], { cwd })).stdout) as ReadonlyArray<{
    readonly run: string
    readonly status: string
    readonly workflow: string
  }>

it.each([undefined, "2026-07-28"])(
  "serves workflows as tools, with nothing but the protocol on standard output (%s)",
  async (version) => {
    const log = version === undefined ? "--log" : "--log-json"
    const { client, ended, stderr, stdout } = await connected(["loud", log], version)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      "loud",
      "answer-question",
    ])
    const { content } = await client.callTool({ name: "loud", arguments: {} })
    expect(content).toEqual([{ type: "text", text: "done" }])
    await client.close()
    expect(await ended).toBe(0)
    for (const line of stdout().trim().split("\n")) {
      expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" })
    }
    expect(stderr()).toContain("by the console")
    expect(stderr()).toContain("by the stream")
    expect(stderr()).toMatch(
      version === undefined
        ? /loud {2}succeeded/
        : /^\{"at":"[^"]+","level":"info","run":"[^"]+","workflow":"loud","outcome":"succeeded"\}$/m,
    )
    expect(await runs()).toMatchObject([{ workflow: "loud", status: "succeeded" }])
  },
)

it("answers a call under way when it is terminated, and the next server finishes its run", async () => {
  const { child, client, ended } = await connected(["slow", "--drain", "100ms"])
  const progressed = Promise.withResolvers<void>()
  const call = client.callTool(
    { name: "slow", arguments: { ms: 60_000 } },
    { onprogress: () => progressed.resolve() },
  )
  await progressed.promise
  child.kill("SIGTERM")
  const { content, isError } = (await call) as any
  expect(isError).toBe(true)
  expect(content[0].text).toContain("The server stops.")
  expect(await ended).toBe(0)
  const [left] = await runs()
  expect(left).toMatchObject({ workflow: "slow", status: "running" })
  expect(content[0].text).toContain(left!.run)
})

it("ends when its client goes, and leaves the run to the next server", async () => {
  const { child, client, ended } = await connected(["slow", "--drain", "5s"])
  const progressed = Promise.withResolvers<void>()
  const call = client
    .callTool({ name: "slow", arguments: {} }, { onprogress: () => progressed.resolve() })
    .catch(() => undefined)
  await progressed.promise
  child.stdin.end()
  await call
  expect(await ended).toBe(0)
  expect(await runs()).toMatchObject([{ workflow: "slow", status: "running" }])
  const next = await connected(["slow"])
  await vi.waitFor(async () => expect(await runs()).toMatchObject([{ status: "succeeded" }]), {
    timeout: 20_000,
    interval: 200,
  })
  await next.client.close()
})

it("leaves runs of workflows that it does not serve to others", async () => {
  const other = await connected(["slow", "--drain", "100ms"])
  const progressed = Promise.withResolvers<void>()
  void other.client
    .callTool({ name: "slow", arguments: {} }, { onprogress: () => progressed.resolve() })
    .catch(() => undefined)
  await progressed.promise
  other.child.kill("SIGKILL")
  await other.ended
  // Its first look at the store comes before its first answer.
  const { client } = await connected(["loud"])
  await client.callTool({ name: "loud", arguments: {} })
  const left = (await runs()).find((run) => run.workflow === "slow")
  expect(left).toMatchObject({ status: "running", epoch: 1 })
  await client.close()
})

it("runs no more calls at once than --concurrency; the others wait", async () => {
  const { client } = await connected(["slow", "--concurrency", "1"])
  const calls = [1, 2].map(() => client.callTool({ name: "slow", arguments: { ms: 10 } }))
  const times = await Promise.all(
    (await Promise.all(calls)).map(async ({ structuredContent }) => {
      const { run } = structuredContent as { readonly run: string }
      const { stdout } = await planloom(["runs", "show", run, "--json"], { cwd })
      const { result } = JSON.parse(stdout)
      return [result.startedAt, result.finishedAt] as const
    }),
  )
  const [first, second] = times.toSorted(([a], [b]) => a - b)
  expect(second![0]).toBeGreaterThanOrEqual(first![1])
  await client.close()
})

it("ends when its output is closed", async () => {
  const { child, client, ended } = await connected(["loud"])
  child.stdout.destroy()
  void client.callTool({ name: "loud", arguments: {} }).catch(() => undefined)
  expect(await ended).not.toBeNull()
})

it("ends when it is terminated although its client reads nothing", async () => {
  const { child, ended } = start(["loud"])
  child.stdout.removeAllListeners("data").pause()
  const send = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  const clientInfo = { name: "test", version: "1" }
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }
  send({ id: "first", method: "initialize", params })
  for (let id = 0; id < 500; id++) send({ id, method: "tools/list" })
  await new Promise((resolve) => child.stderr.once("data", resolve))
  await vi.waitFor(() => expect(child.stdout.readableLength).toBeGreaterThan(0), {
    timeout: 20_000,
  })
  child.kill("SIGTERM")
  expect(await ended).toBe(0)
})

it("survives lines that are not messages, and ends with a message that is too long", async () => {
  const { child, client, ended, stderr } = await connected(["loud"])
  child.stdin.write(
    '\n{"jsonrpc":\n[]\n"x"\n{"jsonrpc":"2.0","id":7}\n{"jsonrpc":"1.0","method":"x"}\n',
  )
  expect((await client.listTools()).tools).toHaveLength(2)
  child.stdin.write(
    `{"jsonrpc":"2.0","id":8,"method":"ping","params":{"a":"${"x".repeat(2 ** 21)}"}}\n`,
  )
  expect(await ended).toBe(0)
  expect(stderr()).toMatch(/buffer/i)
})

it("`planloom serve` serves the same at /mcp, and answers calls under way when it is terminated", async () => {
  const server = await serve(["loud", "slow", "--drain", "100ms"], { cwd })
  try {
    const client = new Client({ name: "test", version: "1" })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)))
    expect(await client.callTool({ name: "loud", arguments: {} })).toMatchObject({
      content: [{ text: "done" }],
    })
    const progressed = Promise.withResolvers<void>()
    const call = client.callTool(
      { name: "slow", arguments: { ms: 60_000 } },
      { onprogress: () => progressed.resolve() },
    )
    await progressed.promise
    const ended = server.stop("SIGTERM")
    expect(await call).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("The server stops.") }],
    })
    expect(await ended).toBe(0)
    expect(await runs()).toMatchObject([
      { workflow: "slow", status: "running" },
      { workflow: "loud", status: "succeeded" },
    ])
  } finally {
    await server.stop("SIGKILL")
  }
})

describe("the configuration that docs/mcp.md shows", async () => {
  const page = await readFile(join(import.meta.dirname, "../../../../docs/mcp.md"), "utf8")
  const entries = codeBlocks(page)
    .filter(({ language }) => language === "json")
    .map(({ text }) => JSON.parse(text) as any)
    .flatMap((file) => Object.values(file.mcpServers ?? file.servers ?? {}) as ReadonlyArray<any>)

  it.each(entries.filter(({ command }) => command !== undefined))(
    "starts a server: $args",
    async ({ args, command }) => {
      expect([command, ...args.slice(0, 3)]).toEqual(["npx", "planloom", "mcp", "serve"])
      const project = args.indexOf("--project") + 1
      const given = (args as ReadonlyArray<string>).with(project, cwd)
      // In a folder of the client's own, as many clients do.
      const { client } = await connected(given.slice(3), undefined, tmpdir())
      expect(await client.callTool({ name: "loud", arguments: {} })).toMatchObject({
        content: [{ text: "done" }],
      })
      await client.close()
    },
  )

  it.each(entries.filter(({ url }) => url !== undefined))(
    "reaches a server: $url",
    async ({ headers, url }) => {
      const scopes = ["workflows:read", "runs:write", "runs:read"]
      const created = await planloom(
        ["keys", "create", "agent", ...scopes.flatMap((scope) => ["--scope", scope])],
        { cwd },
      )
      const authorization = headers.Authorization.replace("plk_…", created.stdout.trim())
      const server = await serve(["loud"], { cwd })
      try {
        const client = new Client({ name: "test", version: "1" })
        const requestInit = { headers: { authorization } }
        const { pathname } = new URL(url)
        await client.connect(
          new StreamableHTTPClientTransport(new URL(pathname, server.url), { requestInit }),
        )
        expect(await client.callTool({ name: "loud", arguments: {} })).toMatchObject({
          content: [{ text: "done" }],
        })
        await client.close()
      } finally {
        await server.stop("SIGKILL")
      }
    },
  )

  it("is there to be tried", () => {
    expect(entries.length).toBeGreaterThanOrEqual(3)
  })
})

it("refuses a workflow with problems, with nothing on standard output", async () => {
  await writeFile(join(cwd, "workflows/bad.yaml"), workflow("bad", "stages: 7\n"))
  const { ended, stderr, stdout } = start(["bad"])
  expect(await ended).toBe(1)
  expect(stdout()).toBe("")
  expect(stderr()).toContain("workflows/bad.yaml has problems and cannot be served")
})
