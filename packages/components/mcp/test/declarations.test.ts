/** Declarations of servers in workflows, and offers of a server beside its tools: its log, its resources and questions to a model. */
import { mkdirSync, realpathSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it, vi } from "vitest"
import type { Ask, ToolInvocation } from "@planloom/plugin/effect"
import { givenTools } from "../src/listing/givenTools.ts"
import { matches } from "../src/servers/Server.ts"
import { call, listOf, server, sourceOf, testFolder } from "./callServer.ts"

const program = {
  command: process.execPath,
  args: ["--no-warnings", join(import.meta.dirname, "newServer.ts")],
}
const text = ({ value }: Awaited<ReturnType<typeof call>>) => (value as { text: string }).text

describe("a declared server", () => {
  it("has its own prefix, limit of time and working folder", async () => {
    const cwd = join(testFolder(), "below")
    mkdirSync(cwd)
    const source = sourceOf({
      s: server("good", { prefix: "tools", timeout: "3s", cwd: "below" }).declared,
    })
    const { tools } = await listOf(source)
    expect(tools.find(({ name }) => name === "tools.add")).toMatchObject({
      timeout: "3s",
      group: "tools",
    })
    expect(text(await call(source, "tools.where"))).toBe(realpathSync(cwd))
    expect((await call(source, "s.where")).failure).toMatchObject({ class: "invalid_request" })
  })

  it("is started from the folder of its file if its command is a path", async () => {
    const { declared } = server("good")
    const source = sourceOf({ s: { ...declared, command: "./missing/node" } })
    expect((await listOf(source)).partial).toContain(join(testFolder(), "missing/node"))
  })

  it("gets variables of the process that are named, and fails without one", async () => {
    vi.stubEnv("MCP_TEST_MODE", "fast")
    const source = sourceOf({
      s: server("good", { env: { MODE: { env: "MCP_TEST_MODE" } } }).declared,
    })
    expect(JSON.parse(text(await call(source, "s.env")))).toMatchObject({ MODE: "fast" })
    vi.unstubAllEnvs()
    const without = sourceOf({
      s: server("good", { env: { MODE: { env: "MCP_TEST_MODE" } } }).declared,
    })
    expect((await call(without, "s.env")).failure).toMatchObject({
      class: "auth",
      message: expect.stringContaining("MCP_TEST_MODE"),
    })
  })

  it("gets the default of a variable and of a secret without a value, else their values", async () => {
    const env = {
      MODE: { env: "MCP_TEST_MODE", default: "slow" },
      TOKEN: { secret: "TOKEN", prefix: "Bearer ", default: "" },
    }
    const without = sourceOf({ s: server("good", { env }).declared })
    expect(JSON.parse(text(await call(without, "s.env")))).toMatchObject({
      MODE: "slow",
      TOKEN: "",
    })
    vi.stubEnv("MCP_TEST_MODE", "fast")
    const given = sourceOf({ s: server("good", { env }).declared }, { secrets: { TOKEN: "t0ken" } })
    expect(JSON.parse(text(await call(given, "s.env")))).toMatchObject({
      MODE: "fast",
      TOKEN: "Bearer [secret]",
    })
    vi.unstubAllEnvs()
  })

  it("takes no more calls a minute than its rate", async () => {
    const good = server("good", { rate: { calls_per_minute: 2 } })
    const source = sourceOf({ s: good.declared })
    await Promise.all([1, 2].map(() => call(source, "s.echo", { text: "x" })))
    const controller = new AbortController()
    const third = call(source, "s.echo", { text: "x" }, { signal: controller.signal })
    expect(
      await Promise.race([third, call(sourceOf({ s: server("good").declared }), "s.echo")]),
    ).toMatchObject({
      value: { text: "undefined" },
    })
    controller.abort()
    await expect(third).rejects.toThrow(/interrupt/i)
    expect(good.seen().filter((line) => line === "tools/call")).toHaveLength(2)
  })

  it.each([
    ["get_*", "get_ticket", true],
    ["*_ticket", "get_ticket", true],
    ["g*t*t", "get_ticket", true],
    ["get", "get_ticket", false],
    ["get_*_ticket", "get_ticket", false],
    ["*", "", true],
  ])("%s matches %s: %s", (pattern, name, expected) => {
    expect(matches(name, [pattern])).toBe(expected)
  })
})

describe("the log of a server", () => {
  it.each([
    [
      "an older one",
      server("good", { env: { TOKEN: { secret: "TOKEN" } } }).declared,
      ["mcp/log", "mcp/noise"],
    ],
    ["a newer one", program, ["mcp/log"]],
  ])("%s is in notes of its call, without secrets", async (_, declared, expected) => {
    const source = sourceOf({ s: declared }, { secrets: { TOKEN: "s3cret-value" } })
    const { notes } = await call(source, "s.log")
    expect(notes.map(([note]) => note).toSorted()).toEqual(expected)
    expect(notes[0]![1]).toMatchObject({ server: "s", tool: "s.log" })
    expect(JSON.stringify(notes)).toContain("full")
    expect(JSON.stringify(notes)).not.toContain("s3cret-value")
  })
})

describe("lines that a server writes at its start", () => {
  it("are in notes of the first call, a bounded number", async () => {
    const { notes } = await call(sourceOf({ s: server("noise").declared }), "s.echo", { text: "x" })
    expect(notes.map(([note]) => note)).toEqual(["mcp/noise", "mcp/noise", "mcp/noise"])
    expect(JSON.stringify(notes)).toContain("Listening on stdio")
  })
})

describe("the resources of a server", () => {
  it("are listed and read by tools that read", async () => {
    const source = sourceOf({ s: program })
    const { tools } = await listOf(source)
    expect(tools.filter(({ effect }) => effect === "read").map(({ name }) => name)).toEqual([
      "s.list_resources",
      "s.read_resource",
    ])
    expect((await call(source, "s.list_resources")).value).toEqual({
      text: "",
      attachments: [
        { type: "link", uri: "note://1", name: "one" },
        { type: "link", uri: "note://2", name: "two", mime: "image/png" },
      ],
    })
    expect((await call(source, "s.read_resource", { uri: "note://1" })).value).toEqual({
      text: "first",
      attachments: [],
    })
    expect((await call(source, "s.read_resource", { uri: "note://2" })).value).toMatchObject({
      attachments: [{ type: "resource", uri: "note://2", mime: "image/png", bytes: 3 }],
    })
  })
})

describe("a server that may ask the model of its stage", () => {
  const asked: Array<Ask> = []
  const model = {
    text: (ask: Ask) =>
      Effect.sync(() => {
        asked.push(ask)
        return { text: "a reply", finish: "stop" }
      }),
  } as unknown as NonNullable<ToolInvocation["model"]>

  it.each([
    ["an older one", server("good", { sampling: true }).declared],
    ["a newer one", { ...program, sampling: true }],
  ])("%s gets its reply, without the stage's examples", async (_, declared) => {
    asked.length = 0
    const source = sourceOf({ s: declared })
    const { tools } = await listOf(source)
    expect(tools.find(({ name }) => name === "s.sample")?.asks).toEqual([
      { way: "text", times: 10 },
    ])
    expect(text(await call(source, "s.sample", {}, { model }))).toContain("a reply")
    expect(asked).toMatchObject([{ examples: "none", parts: "hidden" }])
  })

  it("is refused by a stage without a model", async () => {
    const source = sourceOf({ s: server("good", { sampling: true }).declared })
    expect(text(await call(source, "s.sample"))).toContain("may not ask a model")
  })
})

describe("servers that a test gives", () => {
  it("list their tools as servers do, or fail with a reason", async () => {
    const list = await Effect.runPromise(
      givenTools.list({
        base: {
          trust: "reads",
          tools: [
            { name: "look", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
            { name: "../bad", inputSchema: { type: "object" } },
          ],
        },
        away: { fail: "no route" },
      }),
    )
    expect(list.tools.map(({ effect, name }) => [name, effect])).toEqual([["base.look", "read"]])
    expect(list.partial).toMatch(/without "\.\.\/bad".*; the server "away": no route$/)
    expect(list.open).toEqual(["away.*"])
  })
})
