/** Requests to a local server: which are sent, what comes back, and how they fail. */
import { once } from "node:events"
import { readFileSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, afterEach, assert, describe, it } from "vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import {
  ToolFailed,
  type Json,
  type JsonObject,
  type ToolInvocation,
} from "@planloom/plugin/effect"
import { apiServer, json } from "./apiServer.ts"
import { callTool, closeTransports, entryOf, sourceWith, type Setup } from "./callTool.ts"

const loopback = ["127.0.0.1"]
let other = ""
/** The latest response of a slow answer. */
let slow = Promise.withResolvers<ServerResponse>()
/** Connections on which one request was answered. */
const used = new WeakSet<object>()

const server = await apiServer({
  "/json": json({ ok: true }),
  "/text": (_, response) =>
    void response
      .writeHead(200, { "content-type": "text/plain; charset=latin1" })
      .end(Buffer.from([0xe4])),
  "/none": (_, response) => void response.writeHead(204).end(),
  "/broken": (_, response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end('{"ok":'),
  "/page": (_, response) =>
    void response.writeHead(200, { "content-type": "text/html" }).end("<h1>Sign in</h1>"),
  "/image": (_, response) => void response.writeHead(200, { "content-type": "image/png" }).end("x"),
  "/gzip": (_, response) =>
    void response
      .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
      .end(gzipSync('{"zipped":true}')),
  "/bomb": (_, response) =>
    void response
      .writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" })
      .end(gzipSync(Buffer.alloc(20_000_000))),
  "/damaged": (_, response) =>
    void response.writeHead(200, { "content-encoding": "gzip" }).end("not gzip"),
  "/announced": (_, response) =>
    void response.writeHead(200, { "content-length": "9000000" }).write("x"),
  "/endless": (_, response) => {
    response.writeHead(200, { "content-type": "text/plain" })
    const write = (): void => {
      while (response.write("x".repeat(16_384)));
      response.once("drain", write)
    }
    write()
  },
  "/slow": (_, response) => {
    response.writeHead(200, { "content-type": "text/plain" }).write("once upon a time")
    slow.resolve(response)
  },
  "/once": (_, response) => {
    const { socket } = response
    if (socket === null || used.has(socket)) return void socket?.destroy()
    used.add(socket)
    response.end()
  },
  "/dies": (_, response) => {
    response.writeHead(200, { "content-type": "text/plain", "content-length": "100" })
    response.write("half", () => response.destroy())
  },
  "/limited": json({ error: { message: "slow down" } }, 429, { "retry-after": "7" }),
  "/down": json({ message: "maintenance" }, 503, { "retry-after": "2" }),
  "/secret": json({ error: "no such key" }, 401),
  "/wrong": json({ message: "title is missing", fields: ["title"] }, 422),
  "/loop": (_, response) => void response.writeHead(302, { location: "/loop" }).end(),
  "/moved": (_, response) => void response.writeHead(307, { location: "/echo" }).end(),
  "/see": (_, response) => void response.writeHead(303, { location: "/echo" }).end(),
  "/away": (_, response, origin) =>
    void response.writeHead(302, { location: origin.replace("127.0.0.1", "localhost") }).end(),
  "/metadata": (_, response) =>
    void response.writeHead(302, { location: "http://169.254.169.254/latest" }).end(),
  "/other": (_, response) => void response.writeHead(302, { location: `${other}/echo` }).end(),
  "/echo": ({ body, headers, method, url }, response) =>
    json({ method, url, headers: headers as never, body })({} as never, response, ""),
})
const second = await apiServer({
  "/echo": ({ headers }, response) => json(headers)({} as never, response, ""),
})
other = second.origin
afterAll(() => Promise.all([server.close(), second.close()]))
afterEach(() => {
  closeTransports()
  server.received.length = 0
  slow = Promise.withResolvers()
})

const setup: Setup = { hosts: [server.origin, second.origin], private: loopback }

const get = (path: string, more: Setup = {}) =>
  callTool({ ...setup, ...more }, "http_get", { url: `${server.origin}${path}` })

const bodyOf = (value: unknown): Json => (value as { readonly body: Json }).body

/** Class and message of a failure, without the port of the server. */
const failed = (value: unknown): string => {
  assert.instanceOf(value, ToolFailed)
  const { class: kind, message } = value as ToolFailed
  return `${kind}: ${message.replaceAll(server.origin, "ORIGIN").replaceAll(second.origin, "OTHER")}`
}

describe("an answer", () => {
  it.each([
    ["JSON is data", "/json", { ok: true }],
    ["text is text, in its encoding", "/text", "ä"],
    ["no content is null", "/none", null],
    ["compressed text is decompressed", "/gzip", { zipped: true }],
  ] as const)("of %s", async (_, path, value) => {
    assert.deepStrictEqual(bodyOf(await get(path)), value)
  })

  it("has status, URL and content type", async () => {
    assert.deepStrictEqual(await get("/json"), {
      status: 200,
      url: `${server.origin}/json`,
      content_type: "application/json",
      body: { ok: true },
    })
  })

  it.each([
    [
      "with invalid JSON",
      "/broken",
      'invalid_output: ORIGIN answered with invalid JSON: "{\\"ok\\":"',
    ],
    [
      "of a binary type",
      "/image",
      "invalid_output: ORIGIN answered with image/png, which is neither JSON nor text",
    ],
    [
      "that decompresses to more than the limit",
      "/bomb",
      "too_large: the answer is larger than 100000 bytes (`max_bytes`)",
    ],
    [
      "that never ends",
      "/endless",
      "too_large: the answer is larger than 100000 bytes (`max_bytes`)",
    ],
    [
      "that announces more than the limit",
      "/announced",
      "too_large: the answer is larger than 100000 bytes (`max_bytes`)",
    ],
    [
      "that cannot be decompressed",
      "/damaged",
      "invalid_output: ORIGIN sent an answer that cannot be decompressed (Z_DATA_ERROR)",
    ],
    [
      "that breaks off",
      "/dies",
      "unavailable: ORIGIN ended the connection before the whole answer arrived (ECONNRESET)",
    ],
    [
      "with a client error",
      "/wrong",
      "tool_error: GET ORIGIN/wrong answered with 422 Unprocessable Entity: title is missing",
    ],
    [
      "with a refused key",
      "/secret",
      "auth: GET ORIGIN/secret answered with 401 Unauthorized: no such key",
    ],
    [
      "of an unknown path",
      "/nowhere",
      "tool_error: GET ORIGIN/nowhere answered with 404 Not Found",
    ],
  ] as const)("%s fails", async (_, path, message) => {
    assert.strictEqual(failed(await get(path)), message)
  })

  it("that stalls fails with class timeout", async () => {
    assert.strictEqual(
      failed(await get("/slow", { timeout: 50 })),
      "timeout: ORIGIN gave no whole answer within 50 ms",
    )
  })

  it.each([
    ["/limited", "rate_limit", 7000],
    ["/down", "unavailable", 2000],
  ] as const)(
    "of %s fails with class %s and the delay that it asks for",
    async (path, kind, ms) => {
      const failure = (await get(path)) as ToolFailed
      assert.strictEqual(failure.class, kind)
      assert.strictEqual(failure.retryAfter, ms)
    },
  )

  it("with a client error has the body as detail", async () => {
    assert.deepStrictEqual(((await get("/wrong")) as ToolFailed).detail, {
      status: 422,
      body: { message: "title is missing", fields: ["title"] },
    })
  })

  it("of another type fails where JSON is wanted", async () => {
    const entry = entryOf({ url: `${server.origin}/page` }, { result: { type: "object" } })
    assert.strictEqual(
      failed(await callTool(setup, entry)),
      'invalid_output: ORIGIN answered with text/html, not with JSON: "<h1>Sign in</h1>"',
    )
  })
})

describe("a host", () => {
  const resolve: Setup["resolve"] = (host, _, found) =>
    found(
      null,
      host.startsWith("two")
        ? [
            { address: "93.184.216.34", family: 4 },
            { address: "10.0.0.7", family: 4 },
          ]
        : [{ address: "127.0.0.1", family: 4 }],
    )

  it("outside the list is refused before a look-up", async () => {
    const value = await callTool({ hosts: ["api.example.com", "*.example.org"] }, "http_get", {
      url: "https://example.org/",
    })
    assert.strictEqual(
      failed(value),
      "invalid_request: example.org is not in `hosts` of @planloom/tools-http: it has api.example.com, *.example.org",
    )
  })

  it.each([
    ["http is not https", "http://api.example.com/", "http://api.example.com is not in `hosts`"],
    ["another port", "https://api.example.com:8443/", "api.example.com:8443 is not in `hosts`"],
    ["a file", "file:///etc/passwd", "file: is not http: or https:"],
    ["a password", "https://a:b@api.example.com/", "a URL must not contain a password"],
    [
      "a path outside the base",
      "https://base.example.com/v2/x",
      "/v2/x is outside /v1 of base.example.com",
    ],
    [
      "dots in the base",
      "https://base.example.com/v1/..%2Fv2",
      "must not be or contain the segment . or ..",
    ],
    ["a host that only ends alike", "https://api.example.com.evil.test/", "is not in `hosts`"],
  ] as const)("of a URL with %s is refused", async (_, url, message) => {
    const hosts = ["api.example.com", "base.example.com/v1"]
    const text = failed(await callTool({ hosts }, "http_get", { url }))
    assert.include(text, "invalid_request: ")
    assert.include(text, message)
  })

  it("that resolves to a private address is refused, on the very connection", async () => {
    const value = await callTool(
      { hosts: [`http://api.example.com:${server.port}`], resolve },
      "http_get",
      { url: `http://api.example.com:${server.port}/json` },
    )
    assert.include(
      failed(value),
      "not_allowed: api.example.com has the address 127.0.0.1, which is not public",
    )
    assert.lengthOf(server.received, 0)
  })

  it("with one private address among public ones is refused", async () => {
    const url = "http://two.example.com/"
    const value = await callTool({ hosts: ["http://two.example.com"], resolve }, "http_get", {
      url,
    })
    assert.include(failed(value), "two.example.com has the address 10.0.0.7, which is not public")
  })

  it("is connected at its checked address", async () => {
    const value = await callTool(
      { hosts: [`http://*.example.com:${server.port}`], private: ["127.0.0.0/8"], resolve },
      "http_get",
      { url: `http://api.example.com:${server.port}/json` },
    )
    assert.deepStrictEqual(bodyOf(value), { ok: true })
    assert.strictEqual(server.received[0]!.headers.host, `api.example.com:${server.port}`)
  })

  it.each([
    "127.0.0.1",
    "2130706433",
    "0x7f.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "169.254.169.254",
    "10.1.2.3",
    "[fe80::1]",
    "[fd00::1]",
    "[64:ff9b::7f00:1]",
    "[::7f00:1]",
    "[4000::1]",
    "[8000::1]",
    "[200::1]",
    "0.0.0.0",
  ])("written as the address %s is refused", async (host) => {
    const value = await callTool({ hosts: [`http://${host}`] }, "http_get", {
      url: `http://${host}/`,
    })
    assert.match(failed(value), /^not_allowed: .* is not a public address/)
    const chosen = await callTool({ hosts: ["*", "http://*.a.com"] }, "http_get", {
      url: `https://${host}/`,
    })
    assert.match(failed(chosen), /^invalid_request: .* is not a public address/)
  })

  it("without an address fails as unavailable", async () => {
    const missing: Setup["resolve"] = (_, __, found) =>
      found(Object.assign(new Error("none"), { code: "ENOTFOUND" }), [])
    const value = await callTool({ hosts: ["none.example.com"], resolve: missing }, "http_get", {
      url: "https://none.example.com/",
    })
    assert.strictEqual(
      failed(value),
      "unavailable: https://none.example.com cannot be found: its name has no address (ENOTFOUND)",
    )
  })
})

describe("a redirect", () => {
  it("in a circle fails after its limit", async () => {
    assert.strictEqual(failed(await get("/loop")), "tool_error: ORIGIN redirects more than 3 times")
    assert.lengthOf(server.received, 4)
  })

  it.each([
    ["to a host outside the list", "/away", "is not in `hosts`"],
    ["to a link-local address", "/metadata", "http://169.254.169.254 is not in `hosts`"],
  ] as const)("%s is refused", async (_, path, message) => {
    assert.include(failed(await get(path)), message)
  })

  it("with 307 repeats method and body, with 303 becomes a GET without body", async () => {
    const send = async (path: string) =>
      bodyOf(
        await callTool(setup, "http_request", {
          method: "POST",
          url: `${server.origin}${path}`,
          json: { n: 1 },
        }),
      ) as { readonly method: string; readonly body: string; readonly headers: object }
    assert.deepInclude(await send("/moved"), { method: "POST", body: '{"n":1}' })
    const seen = await send("/see")
    assert.deepInclude(seen, { method: "GET", body: "" })
    assert.notProperty(seen.headers, "content-type")
  })

  it("to another origin gets no authentication", async () => {
    const more = { auth: { [server.origin]: { bearer: "KEY" } }, secrets: { KEY: "s3cret-token" } }
    const same = bodyOf(await get("/moved", more)) as { readonly headers: object }
    assert.propertyVal(same.headers, "authorization", "Bearer [secret]")
    assert.strictEqual(server.received.at(-1)!.headers.authorization, "Bearer s3cret-token")
    assert.notProperty(bodyOf(await get("/other", more)), "authorization")
    assert.isUndefined(second.received.at(-1)!.headers.authorization)
  })
})

describe("a connection", () => {
  it("that was idle and is closed by the server is replaced for a read; a write has its own", async () => {
    const source = sourceWith(setup)
    const send = (tool: string, params: JsonObject) =>
      Effect.runPromise(source.call({ tool, params } as ToolInvocation))
    const url = `${server.origin}/once`
    for (let n = 0; n < 3; n++) await send("http_get", { url })
    await send("http_request", { method: "POST", url })
    // The second read came twice: on the connection that the server closed, and on a new one.
    assert.deepStrictEqual(
      server.received.map(({ method }) => method),
      ["GET", "GET", "GET", "GET", "POST"],
    )
  })

  it("is closed when the call is interrupted", async () => {
    const interrupted = Effect.runFork(
      sourceWith(setup).call({
        tool: "http_get",
        params: { url: `${server.origin}/slow` },
      } as never as ToolInvocation),
    )
    const response = await slow.promise
    await Effect.runPromise(Fiber.interrupt(interrupted))
    if (!response.closed) await once(response, "close")
    assert.isFalse(response.writableFinished)
  })

  it("with a certificate that cannot be verified names the remedy", async () => {
    const at = (name: string) => readFileSync(join(import.meta.dirname, name))
    const secure = createServer(
      { key: at("key.pem"), cert: at("cert.pem") },
      (_, response) => void response.end("ok"),
    ).listen(0, "127.0.0.1")
    await once(secure, "listening")
    const { port } = secure.address() as AddressInfo
    const origin = `https://127.0.0.1:${port}`
    const value = await callTool({ hosts: [`127.0.0.1:${port}`], private: loopback }, "http_get", {
      url: origin,
    })
    secure.close()
    assert.strictEqual(
      failed(value).replaceAll(origin, "ORIGIN"),
      "unavailable: ORIGIN has a certificate that cannot be verified; if it is yours, name the file of its authority in NODE_EXTRA_CA_CERTS (DEPTH_ZERO_SELF_SIGNED_CERT)",
    )
  })

  it("that is refused fails as unavailable", async () => {
    const closed = await apiServer({})
    await closed.close()
    const value = await callTool({ hosts: [closed.origin], private: loopback }, "http_get", {
      url: closed.origin,
    })
    assert.strictEqual(
      failed(value).replaceAll(closed.origin, "ORIGIN"),
      "unavailable: ORIGIN cannot be reached (ECONNREFUSED)",
    )
  })
})
