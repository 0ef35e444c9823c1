/** Secrecy of tokens: whatever a server does with the one it is sent, no text of a run repeats it. And the targets of requests for a login. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { cases } from "../../../../.config/cases.ts"
import { mayReach } from "../src/login/addresses.ts"
import { loadSdk } from "../src/connection/sdk.ts"
import { discoverIssuer } from "../src/login/discoverIssuer.ts"
import { logIn } from "../src/login/logIn.ts"
import { loginFetch } from "../src/login/loginFetch.ts"
import { serverOf } from "../src/servers/readServers.ts"
import { guardedServer } from "./authServer.ts"
import { call, listOf, newState, sourceOf, testFolder } from "./callServer.ts"
import { httpServer } from "./httpServer.ts"

const places = [
  "text",
  "structured",
  "key",
  "failure",
  "error",
  "data",
  "status",
  "challenge",
  "description",
  "schema",
  "log",
] as const
const spellings: { readonly [name: string]: (token: string) => string } = {
  plain: (token) => token,
  base64: (token) => Buffer.from(token).toString("base64"),
  bearer: (token) => Buffer.from(`Bearer ${token}!`).toString("base64url"),
  url: encodeURIComponent,
  json: JSON.stringify,
}

let place: (typeof places)[number] = "text"
let repeated: (token: string) => string = spellings["plain"]!

/** A server of the older revision that repeats its token. */
const talkative = async (request: Request): Promise<Response> => {
  const text = await request.text()
  const { id, method } = (text === "" ? {} : JSON.parse(text)) as { id?: number; method?: string }
  if (id === undefined) return new Response(null, { status: request.method === "GET" ? 405 : 202 })
  const said = repeated(request.headers.get("authorization")?.slice("Bearer ".length) ?? "")
  const answer = (body: object) => Response.json({ jsonrpc: "2.0", id, ...body })
  const at = (one: string) => (place === one ? said : "fine")
  if (method === "initialize") {
    return answer({
      result: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "talkative", version: "1" },
      },
    })
  }
  if (method === "tools/list") {
    return answer({
      result: {
        tools: [
          {
            name: "say",
            description: `Says. ${at("description")}`,
            inputSchema: {
              type: "object",
              properties: { a: { type: "string", default: at("schema") } },
            },
          },
        ],
      },
    })
  }
  if (method !== "tools/call") {
    return answer({ error: { code: -32_601, message: `no such method ${at("error")}` } })
  }
  if (place === "status") return new Response(said, { status: 500, statusText: "no" })
  if (place === "challenge") {
    return new Response(null, {
      status: 403,
      headers: { "www-authenticate": `Bearer error="insufficient_scope", scope="${said}"` },
    })
  }
  if (place === "error") return answer({ error: { code: -32_000, message: said } })
  if (place === "data") return answer({ error: { code: -32_000, message: "x", data: { said } } })
  if (place === "log") {
    const events = [
      { jsonrpc: "2.0", method: "notifications/message", params: { level: "error", data: said } },
      { jsonrpc: "2.0", id, result: { content: [] } },
    ]
    return new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""), {
      headers: { "content-type": "text/event-stream" },
    })
  }
  return answer({
    result: {
      content: [{ type: "text", text: at("text") }],
      structuredContent: place === "key" ? { [said]: 1 } : { a: { b: [at("structured")] } },
      ...(place === "failure" ? { isError: true, content: [{ type: "text", text: said }] } : {}),
    },
  })
}

const guarded = await guardedServer(talkative)
const state = newState()
const witness = await httpServer(async () => new Response("reached"))
afterAll(() => Promise.all([guarded.close(), witness.close()]))

const textsIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith("tokens"))
    .map(({ name, parentPath }) => name + readFileSync(join(parentPath, name), "utf8"))
    .join("\n")

describe("a token", () => {
  it("is in no result, failure, list or file of a run, wherever the server repeats it", async () => {
    await logIn({
      server: serverOf(
        "s",
        { url: guarded.url },
        join(testFolder(), "planloom.yaml"),
        testFolder(),
      ),
      secret: () => undefined,
      state,
      signal: new AbortController().signal,
      show: async (url) => void (await guarded.browse(url)),
      onStray: () => {},
    })
    let seen = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...places),
        fc.constantFrom(...Object.keys(spellings)),
        fc.nat({ max: 2100 }),
        fc.boolean(),
        async (where, spelling, padding, isRenewed) => {
          place = where
          repeated = (token) => `${"x".repeat(padding)} ${spellings[spelling]!(token)} after`
          if (isRenewed) guarded.valid.clear()
          const source = sourceOf({ s: { url: guarded.url } }, { state })
          const workspace = join(testFolder(), `run-${++seen}`)
          const written = JSON.stringify([
            await listOf(source),
            await call(source, "s.say", {}, { workspace }),
            await listOf(source),
            textsIn(state),
          ])
          for (const token of guarded.given) {
            for (const text of [token, Buffer.from(token).toString("base64").slice(0, -4)]) {
              expect(written).not.toContain(text)
            }
            // Nor a part of it that a limit of length has left.
            expect(written).not.toContain(token.slice(0, 20))
          }
        },
      ),
      { numRuns: cases(25) },
    )
    expect(seen).toBeGreaterThanOrEqual(25)
  })
})

describe("a request for a login", () => {
  const part = fc.nat({ max: 255 })
  const special = fc.oneof(
    fc.tuple(fc.constantFrom(0, 10, 127, 224, 240, 255), part, part, part),
    fc.tuple(fc.constant(169), fc.constant(254), part, part),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), part, part),
    fc.tuple(fc.constant(192), fc.constant(168), part, part),
    fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), part, part),
  )

  it("goes to no address that is not public, in any spelling, for a public server", async () => {
    await fc.assert(
      fc.asyncProperty(
        special,
        fc.constantFrom(
          (parts: ReadonlyArray<number>) => parts.join("."),
          (parts: ReadonlyArray<number>) => `[::ffff:${parts.join(".")}]`,
          ([a = 0, b = 0, c = 0, d = 0]: ReadonlyArray<number>) =>
            String(((a * 256 + b) * 256 + c) * 256 + d),
          ([a = 0, b = 0, c = 0, d = 0]: ReadonlyArray<number>) =>
            `0x${a.toString(16)}.${b}.${c * 256 + d}`,
        ),
        async (parts, spell) => {
          const address = `https://${spell(parts)}/`
          await expect(loginFetch({ allowsPrivate: false })(address)).rejects.toThrow(
            "has an address that is not public",
          )
        },
      ),
      { numRuns: cases(100) },
    )
  })

  it("goes to no name with such an address", async () => {
    const { port } = new URL(witness.origin)
    await expect(loginFetch({ allowsPrivate: false })(`http://localhost:${port}/`)).rejects.toThrow(
      "has an address that is not public",
    )
    expect(witness.received).toHaveLength(0)
    expect((await loginFetch({ allowsPrivate: true })(`http://localhost:${port}/`)).status).toBe(
      200,
    )
    expect(witness.received).toHaveLength(1)
  })

  it("sends no browser of a public server to this machine", async () => {
    const metadata = {
      issuer: "https://issuer.example",
      authorization_endpoint: `${witness.origin}/authorize`,
      token_endpoint: "https://issuer.example/token",
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
    }
    const found = discoverIssuer({
      sdk: await loadSdk(),
      url: "https://server.example/mcp",
      metadataUrl: undefined,
      fetchFn: async (url) =>
        String(url).includes("protected-resource")
          ? Response.json({
              resource: "https://server.example/mcp",
              authorization_servers: [metadata.issuer],
            })
          : Response.json(metadata),
      isPrivate: false,
    })
    await expect(found).rejects.toThrow(
      "the authorization_endpoint of https://issuer.example is not https://",
    )
  })

  it("goes to addresses of private networks for a server in one, and never to those of a cloud", () => {
    expect(mayReach("10.1.2.3", true)).toBe(true)
    expect(mayReach("::1", true)).toBe(true)
    for (const address of [
      "169.254.169.254",
      "::ffff:169.254.169.254",
      "fe80::1",
      "fd00:ec2::254",
    ]) {
      expect(mayReach(address, true)).toBe(false)
    }
    for (const address of ["93.184.215.14", "2606:4700::1111"])
      expect(mayReach(address, false)).toBe(true)
  })
})
