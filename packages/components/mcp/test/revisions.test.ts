/** Servers of the newer revision of the protocol, by standard output and by HTTP, and the memory of a server's revision. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { call, listOf, newState, server, sourceOf } from "./callServer.ts"
import { httpServer } from "./httpServer.ts"
import { newHandler } from "./newServer.ts"

const program = {
  command: process.execPath,
  args: ["--no-warnings", join(import.meta.dirname, "newServer.ts")],
}
const handlers = { modern: newHandler("reject"), both: newHandler("stateless") }
const modern = await httpServer(handlers.modern.fetch)
const flaky = await httpServer(async (request) => {
  const answers = flaky.received.length
  return answers === 1 ? new Response("try later", { status: 503 }) : handlers.modern.fetch(request)
})
const guarded = await httpServer(async (request) =>
  request.headers.get("authorization") === "Bearer s3cret-token"
    ? handlers.modern.fetch(request)
    : new Response("who are you", { status: 401 }),
)
const huge = await httpServer(async (request) => {
  const { id, method, params } = (await request.clone().json()) as {
    id: number
    method: string
    params: { name?: string }
  }
  return method === "tools/call" && params.name === "list"
    ? Response.json({
        jsonrpc: "2.0",
        id,
        result: { resultType: "complete", content: [{ type: "text", text: "z".repeat(50_000) }] },
      })
    : handlers.modern.fetch(request)
})
afterAll(async () => {
  await Promise.all([modern, flaky, forgetful, guarded, huge].map(({ close }) => close()))
})

/** Of the older revision, with sessions, of which it forgets the first after two requests. */
let sessions = 0
const forgetful = await httpServer(async (request) => {
  if (request.method !== "POST") return new Response(null, { status: 405 })
  const { id, method, params } = (await request.json()) as {
    readonly id?: number
    readonly method: string
    readonly params: { readonly arguments?: { readonly text: string } }
  }
  if (method === "server/discover") return new Response("unknown", { status: 400 })
  const headers = { "mcp-session-id": `session-${method === "initialize" ? ++sessions : sessions}` }
  if (method === "initialize") {
    const serverInfo = { name: "forgetful", version: "1" }
    const result = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo }
    return Response.json({ jsonrpc: "2.0", id, result }, { headers })
  }
  if (id === undefined) return new Response(null, { status: 202 })
  if (
    params.arguments?.text === "forget" &&
    request.headers.get("mcp-session-id") === "session-1"
  ) {
    return new Response("no such session", { status: 404 })
  }
  const content = [{ type: "text", text: request.headers.get("mcp-session-id") }]
  return Response.json({ jsonrpc: "2.0", id, result: { content } }, { headers })
})

const url = ({ origin }: { readonly origin: string }) => ({ url: `${origin}/mcp` })
const said = ({ value }: Awaited<ReturnType<typeof call>>) => (value as { text: string }).text

describe.each([
  ["by standard output", program],
  ["by HTTP", url(modern)],
])("a server of the newer revision %s", (_, declared) => {
  it("lists and runs its tools", async () => {
    const source = sourceOf({ s: declared })
    const { tools } = await listOf(source)
    expect(tools.map(({ name }) => name)).toContain("s.add")
    expect((await call(source, "s.add", { a: 2, b: 3 })).value).toEqual({ sum: 5 })
    expect((await call(source, "s.list")).value).toEqual([1, 2])
  })

  it("asks a person between two rounds of a call", async () => {
    const source = sourceOf({ s: declared })
    const called = await call(source, "s.ask", {}, { answer: () => ({ name: "Ada" }) })
    expect(JSON.parse(said(called))).toEqual({
      name: { action: "accept", content: { name: "Ada" } },
    })
    expect(called.asked).toHaveLength(1)
    expect(JSON.parse(said(await call(source, "s.ask")))).toEqual({ name: { action: "decline" } })
  })

  it("may not ask without end", async () => {
    const called = await call(sourceOf({ s: declared }), "s.ask", { times: 99 })
    expect(called.failure).toMatchObject({
      class: "tool_error",
      message: expect.stringContaining("asks for more input"),
    })
    expect(called.asked.length).toBeLessThanOrEqual(10)
  })

  it("may not ask a model unless that is allowed", async () => {
    expect((await call(sourceOf({ s: declared }), "s.sample")).failure?.message).toMatch(
      /capabilities do not declare/,
    )
  })
})

describe("roots", () => {
  it("are shown to a program, and not to a server elsewhere", async () => {
    const local = await call(sourceOf({ s: program }), "s.roots", {}, { roots: ["/data"] })
    expect(JSON.parse(said(local))).toEqual({ asked: { roots: [{ uri: "file:///data" }] } })
    const remote = await call(sourceOf({ s: url(modern) }), "s.roots", {}, { roots: ["/data"] })
    expect(JSON.stringify(remote)).not.toContain("/data")
  })
})

describe("headers", () => {
  it("hold params that the server wants there", async () => {
    const source = sourceOf({ s: url(modern) })
    const { partial, tools } = await listOf(source)
    expect(tools.map(({ name }) => name)).not.toContain("s.bad_header")
    expect(partial).toContain('"bad_header" (x-mcp-header Region is for a param')
    expect(said(await call(source, "s.region", { region: "eu" }))).toBe("eu")
  })

  it("hold secrets of the workflow, and a wrong one fails as such", async () => {
    const declared = {
      ...url(guarded),
      headers: { authorization: { secret: "TOKEN", prefix: "Bearer " } },
    }
    const right = sourceOf({ s: declared }, { secrets: { TOKEN: "s3cret-token" } })
    expect((await call(right, "s.add", { a: 1, b: 1 })).value).toEqual({ sum: 2 })
    const wrong = sourceOf({ s: declared }, { secrets: { TOKEN: "other-token" } })
    const { failure } = await call(wrong, "s.add", { a: 1, b: 1 })
    expect(failure?.class).toBe("auth")
    expect(failure?.message).not.toContain("other-token")
  })
})

describe("a message by HTTP", () => {
  it("over the limit fails with the reason", async () => {
    const source = sourceOf({ s: { ...url(huge), max_message_bytes: 10_000 } })
    expect((await call(source, "s.list")).failure).toMatchObject({
      class: "too_large",
      message: expect.stringContaining("larger than 10000 bytes"),
    })
    expect((await call(source, "s.add", { a: 1, b: 1 })).value).toEqual({ sum: 2 })
  })
})

describe("a server that is away", () => {
  it("fails, and is reached again by the next call", async () => {
    const source = sourceOf({ s: url(flaky) })
    expect((await call(source, "s.add", { a: 1, b: 1 })).failure).toMatchObject({
      class: "unavailable",
      message: expect.stringContaining("503"),
    })
    expect((await call(source, "s.add", { a: 1, b: 1 })).value).toEqual({ sum: 2 })
  })
})

describe("a server that has forgotten the session", () => {
  it("gets a new one with the call that it refused", async () => {
    const source = sourceOf({ s: url(forgetful) })
    expect(said(await call(source, "s.any", { text: "x" }))).toBe("session-1")
    expect(said(await call(source, "s.any", { text: "forget" }))).toBe("session-2")
    expect(said(await call(source, "s.any", { text: "x" }))).toBe("session-2")
  })
})

describe("the revision of a server", () => {
  it("is remembered with its list, in files for the user alone", async () => {
    const state = newState()
    const good = server("good")
    const kinds = { old: good.declared, new: program }
    await listOf(sourceOf(kinds, { state }))
    const folder = join(state, "mcp", "lists")
    const files = readdirSync(folder).map((name) => join(folder, name))
    const lists = files.map(
      (file) => JSON.parse(readFileSync(file, "utf8")) as { server: string; era: { kind: string } },
    )
    expect(lists.map(({ era, server: name }) => [name, era.kind]).toSorted()).toEqual([
      ["new", "modern"],
      ["old", "legacy"],
    ])
    for (const file of files) expect(statSync(file).mode & 0o077).toBe(0)
    expect(good.seen().filter((line) => line === "server/discover")).toHaveLength(1)
    const later = sourceOf(kinds, { state })
    expect((await call(later, "old.add", { a: 1, b: 2 })).value).toEqual({ sum: 3 })
    expect((await call(later, "new.add", { a: 1, b: 2 })).value).toEqual({ sum: 3 })
    expect(good.seen().filter((line) => line === "server/discover")).toHaveLength(1)
  })
})
