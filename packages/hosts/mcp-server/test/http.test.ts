/** The endpoint of streamable HTTP behind the access rules of the HTTP API, on a real socket. */
import type { Client } from "@modelcontextprotocol/client"
import {
  handler,
  newApiKey,
  type ApiKey,
  type ApiOptions,
  type Scope as KeyScope,
} from "@planloom/server"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, afterEach, describe, expect, it, vi } from "vitest"
import { listen } from "../../cli/src/serve/listen.ts"
import { httpEndpoint } from "../src/index.ts"
import {
  connectHttp,
  eras,
  removeFolders,
  serving,
  type HttpClientOptions,
  type World,
} from "./world.ts"

const bodies = {
  greet: `inputs: { who: { type: string } }
stages: [{ id: say, uses: set, with: { value: "Hello \${{ inputs.who }}" } }]
outputs: { text: { type: string, value: "\${{ stages.say.output }}" } }
`,
  gated: `stages: [{ id: held, uses: gate }]
outputs: { text: { value: "\${{ stages.held.output }}" } }
`,
  sign: `stages: [{ id: ask, uses: approve, with: { message: Pay 3 USD? } }]
outputs: { approved: { value: "\${{ stages.ask.output.approved }}" } }
`,
}

const worlds: Array<World> = []
const clients: Array<Client> = []
const scopes: Array<Scope.Closeable> = []

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close().catch(() => undefined)
  for (const scope of scopes.splice(0)) await Effect.runPromise(Scope.close(scope, Exit.void))
  for (const one of worlds.splice(0)) await one.close()
})
afterAll(removeFolders)

const served = async (given: Partial<ApiOptions> = {}) => {
  const one = await serving(bodies)
  worlds.push(one)
  const stopping = new AbortController()
  const scope = Scope.makeUnsafe()
  const mcp = httpEndpoint({ version: "1.2.3", stopping: stopping.signal })
  const handle = handler({ ...one.options, mcp, ...given })
  const port = await Effect.runPromise(
    Scope.provide(listen({ host: "127.0.0.1", port: 0, handle }), scope),
  )
  scopes.push(scope)
  const url = `http://127.0.0.1:${port}/mcp`
  const connect = async (era: (typeof eras)[number], options: HttpClientOptions = {}) => {
    const client = await connectHttp(url, era, options)
    clients.push(client)
    return client
  }
  return { ...one, url, connect, stop: () => stopping.abort() }
}

const keyed = async (...given: ReadonlyArray<ReadonlyArray<KeyScope>>) => {
  const keys = new Map<string, ApiKey>()
  const texts: Array<string> = []
  for (const [index, own] of given.entries()) {
    const { key, stored } = await newApiKey({ name: `key${index}`, scopes: own, createdAt: 1 })
    keys.set(stored.id, stored)
    texts.push(key)
  }
  const world = await served({
    keys: { find: (id) => keys.get(id), isRequired: () => true },
  })
  const headers = texts.map((key) => ({ authorization: `Bearer ${key}` }))
  return { ...world, headers }
}

const message = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })

const initialize = message("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "t", version: "1" },
})

const post = (url: string, body: string, headers: { readonly [name: string]: string } = {}) =>
  fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body,
  })

const settled = (one: World) =>
  vi.waitFor(async () => {
    const [run] = await Effect.runPromise(one.store.list())
    expect(["running", "pending"]).not.toContain(run!.status)
    return run!
  })

describe.each(eras)("a client of %s over HTTP", (era) => {
  it("calls workflows, and reads their runs and reports", async () => {
    const { connect } = await served()
    const client = await connect(era)
    const { content, structuredContent } = await client.callTool({
      name: "greet",
      arguments: { who: "Ada" },
    })
    expect(content).toEqual([{ type: "text", text: "Hello Ada" }])
    const { run } = structuredContent as { readonly run: string }
    const { resources } = await client.listResources()
    expect(resources).toMatchObject([{ uri: `planloom://runs/${run}`, name: run }])
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0] as any
    expect(JSON.parse((await read(resources[0]!.uri)).text)).toMatchObject({
      run,
      workflow: "greet",
      result: { outputs: { text: "Hello Ada" } },
    })
    const report = await read(`planloom://runs/${run}/report`)
    expect(report.mimeType).toBe("text/markdown")
    expect(report.text).toMatch(
      /^# greet: succeeded\n[\s\S]*## Output text\n\nHello Ada\n[\s\S]*- say: success/,
    )
    for (const uri of ["planloom://runs/other", "planloom://runs/%", "file:///etc/passwd"]) {
      await expect(client.readResource({ uri })).rejects.toMatchObject({
        message: expect.stringContaining(uri),
      })
    }
  })

  it("is asked what a run asks", async () => {
    const { connect } = await served()
    const client = await connect(era, {
      capabilities: { elicitation: { form: {} } },
      prepare: (made) =>
        made.setRequestHandler("elicitation/create", () => ({
          action: "accept" as const,
          content: { approved: true },
        })),
    })
    expect(await client.callTool({ name: "sign", arguments: {} })).toMatchObject({
      structuredContent: { status: "succeeded", outputs: { approved: true } },
    })
  })

  it("cancels the run with its call", async () => {
    const one = await served()
    const client = await one.connect(era)
    const controller = new AbortController()
    const call = client.callTool({ name: "gated", arguments: {} }, { signal: controller.signal })
    await one.gate.reached
    controller.abort("enough")
    await expect(call).rejects.toThrow(/enough|abort/i)
    expect(await settled(one)).toMatchObject({ status: "cancelled" })
  })

  it("is answered when the server stops", async () => {
    const one = await served()
    const client = await one.connect(era)
    const call = client.callTool({ name: "gated", arguments: {} })
    await one.gate.reached
    await one.leave()
    one.stop()
    expect(await call).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("is not lost") }],
    })
    expect(await Effect.runPromise(one.store.list())).toMatchObject([{ status: "running" }])
  })

  it("may do what its key may", async () => {
    const all = ["runs:write", "runs:read", "workflows:read"] as const
    const { connect, headers, store } = await keyed(all, ["runs:read"], ["workflows:read"])
    const [full, reader, lister] = await Promise.all(
      headers.map((own) => connect(era, { headers: own })),
    )
    const call = { name: "greet", arguments: { who: "Ada" } }
    expect(await full!.callTool(call)).toMatchObject({ structuredContent: { status: "succeeded" } })
    await expect(reader!.listTools()).rejects.toMatchObject({
      message: expect.stringContaining("workflows:read"),
    })
    expect((await reader!.listResources()).resources).toHaveLength(1)
    expect((await lister!.listTools()).tools).toHaveLength(4)
    await expect(lister!.listResources()).rejects.toMatchObject({
      message: expect.stringContaining("runs:read"),
    })
    for (const client of [reader!, lister!]) {
      expect(await client.callTool(call)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining("(forbidden)") }],
      })
    }
    expect(await Effect.runPromise(store.list())).toHaveLength(1)
  })

  it("reaches the runs of its own user only", async () => {
    const { connect } = await served({
      authenticate: (request) => {
        const id = request.headers.get("x-user")
        return id === null ? { refusal: "log in first" } : { user: { id } }
      },
    })
    const [ada, bob] = await Promise.all(
      ["ada", "bob"].map((id) => connect(era, { headers: { "x-user": id } })),
    )
    const waits = await ada!.callTool({ name: "sign", arguments: {} })
    const { run } = waits.structuredContent as { readonly run: string }
    const uri = `planloom://runs/${run}`
    expect((await ada!.readResource({ uri })).contents).toHaveLength(1)
    expect((await bob!.listResources()).resources).toEqual([])
    await expect(bob!.readResource({ uri })).rejects.toMatchObject({
      message: expect.stringContaining(uri),
    })
    const answer = { run, question: "ask", value: { approved: true } }
    expect(await bob!.callTool({ name: "answer-question", arguments: answer })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("unknown_resource") }],
    })
  })
})

it("a client before 2026-07-28 that is disconnected leaves its run, which ends", async () => {
  const one = await served()
  const session = (await post(one.url, initialize)).headers.get("mcp-session-id")!
  const controller = new AbortController()
  const response = await fetch(one.url, {
    method: "POST",
    signal: controller.signal,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-session-id": session,
    },
    body: message("tools/call", { name: "gated", arguments: {} }),
  })
  expect(response.status).toBe(200)
  await one.gate.reached
  controller.abort()
  one.gate.open()
  expect(await settled(one)).toMatchObject({ status: "succeeded" })
})

it("a session belongs to its caller, and ends with it", async () => {
  const { headers, url } = await keyed(["admin"], ["admin"])
  const opened = await post(url, initialize, headers[0])
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id")! }
  const list = (own: object) => post(url, message("tools/list"), { ...session, ...own })
  expect((await list(headers[0]!)).status).toBe(200)
  expect((await list(headers[1]!)).status).toBe(404)
  const end = await fetch(url, { method: "DELETE", headers: { ...session, ...headers[0] } })
  expect(end.status).toBe(200)
  expect((await list(headers[0]!)).status).toBe(404)
})

it("the 101st session of a caller closes its oldest one, and none of another caller", async () => {
  const { headers, url } = await keyed(["admin"], ["admin"])
  const open = async (own: object) =>
    (await post(url, initialize, { ...own })).headers.get("mcp-session-id")!
  const list = async (session: string, own: object) => {
    const response = await post(url, message("tools/list"), { "mcp-session-id": session, ...own })
    await response.body?.cancel()
    return response.status
  }
  const other = await open(headers[1]!)
  const first = await open(headers[0]!)
  const second = await open(headers[0]!)
  for (let more = 2; more < 101; more++) await open(headers[0]!)
  expect(await list(first, headers[0]!)).toBe(404)
  expect(await list(second, headers[0]!)).toBe(200)
  expect(await list(other, headers[1]!)).toBe(200)
})

it("a request without a valid key is rejected", async () => {
  const { url } = await keyed(["admin"])
  for (const headers of [{}, { authorization: "Bearer plk_000000000000_x" }]) {
    const response = await post(url, initialize, headers)
    expect(response.status).toBe(401)
    expect(response.headers.get("www-authenticate")).toBe("Bearer")
  }
})

it.each([
  ["of another host's page", { origin: "http://evil.example" }, 403],
  ["of a page without an origin", { origin: "null" }, 403],
  ["of its own page", { origin: "http://localhost:3000" }, 200],
  ["for another host", { host: "evil.example" }, 403],
])("a request %s is answered with %j: %i", async (_, headers, status) => {
  const { options } = await served()
  const mcp = httpEndpoint({ version: "1.2.3" })
  const handle = handler({ ...options, mcp, hosts: ["localhost", "127.0.0.1"] })
  const { host = "localhost", ...rest } = headers as { readonly host?: string }
  const request = new Request(`http://${host}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...rest,
    },
    body: initialize,
  })
  const response = await handle(request)
  await response.body?.cancel()
  expect(response.status).toBe(status)
})

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
}

it.each([
  ["no JSON", "{", {}, 400, -32700],
  ["a batch", `[${initialize}]`, {}, 400, -32600],
  ["a number", "7", {}, 400, -32600],
  ["another content type", initialize, { "content-type": "text/plain" }, 415, -32000],
  ["a huge body", message("ping", { x: "x".repeat(2 ** 21) }), {}, 413, -32000],
  ["a session that does not exist", message("ping"), { "mcp-session-id": "x" }, 404, -32001],
  [
    "an unknown revision",
    message("tools/list", {
      _meta: { ...meta, "io.modelcontextprotocol/protocolVersion": "2099-01-01" },
    }),
    { "mcp-protocol-version": "2099-01-01", "mcp-method": "tools/list" },
    400,
    -32022,
  ],
  [
    "headers that differ from the message",
    message("tools/list", { _meta: meta }),
    { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call" },
    400,
    -32020,
  ],
  [
    "an unknown method",
    message("tools/drop", { _meta: meta }),
    { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/drop" },
    404,
    -32601,
  ],
] as const)("%s is rejected", async (_, body, headers, status, code) => {
  const { url } = await served()
  const response = await post(url, body, headers)
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error: { code } })
})

it.each(["GET", "DELETE", "PUT"])("%s without a session is not allowed", async (method) => {
  const { url } = await served()
  const response = await fetch(url, { method, headers: { accept: "text/event-stream" } })
  expect(response.status).toBe(405)
})

it("the limit of requests counts messages", async () => {
  const { connect, url } = await served({ requestsPerMinute: 12 })
  const client = await connect("2025-11-25")
  for (const _ of [1, 2, 3]) await client.callTool({ name: "greet", arguments: { who: "Ada" } })
  const statuses: Array<number> = []
  while (statuses.at(-1) !== 429) {
    const response = await post(url, initialize)
    await response.body?.cancel()
    statuses.push(response.status)
  }
  // Two to connect, perhaps one for the server's own messages, three calls: their runs count no requests.
  expect(statuses.length).toBeGreaterThanOrEqual(6)
})

it("serves no MCP without the endpoint", async () => {
  const { options } = await served()
  const response = await handler(options)(new Request("http://localhost/mcp", { method: "POST" }))
  expect(response.status).toBe(404)
})
