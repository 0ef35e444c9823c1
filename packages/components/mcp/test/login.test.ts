/** Logins at servers that are reached by HTTP: the browser, the tokens in the state folder, and their use in calls. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { loadSdk } from "../src/connection/sdk.ts"
import { logIn, type LoggedIn } from "../src/login/logIn.ts"
import { logOut } from "../src/login/logOut.ts"
import { LoginStore } from "../src/login/LoginStore.ts"
import { ServerLogin } from "../src/login/ServerLogin.ts"
import { serverOf } from "../src/servers/readServers.ts"
import type { Endpoint, Server, WrittenServer } from "../src/servers/Server.ts"
import { guardedServer, type Faults, type Guarded } from "./authServer.ts"
import { call, listOf, newState, server, sourceOf, testFolder } from "./callServer.ts"
import { httpServer } from "./httpServer.ts"

let guarded: Guarded
let state: string

beforeEach(async () => {
  guarded = await guardedServer()
  state = newState()
})
afterEach(() => guarded.close())

const declared = (more: WrittenServer = {}): Server =>
  serverOf("s", { url: guarded.url, ...more }, join(testFolder(), "planloom.yaml"), testFolder())

interface Given {
  readonly more?: WrittenServer
  readonly faults?: Faults
  readonly browse?: (url: string) => unknown
  readonly secrets?: { readonly [name: string]: string }
  readonly signal?: AbortSignal
}

let strays = 0
const login = ({
  browse,
  faults = {},
  more = {},
  secrets = {},
  signal,
}: Given = {}): Promise<LoggedIn> => {
  guarded.faults.current = faults
  return logIn({
    server: declared(more),
    secret: (name) => secrets[name],
    state,
    signal: signal ?? new AbortController().signal,
    show: async (url) => void (await (browse ?? guarded.browse)(url)),
    onStray: () => void strays++,
  })
}

/** First line of the answer to a request whose target no URL has. */
const answerTo = ({ hostname, port }: URL, target: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.end(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, "latin1"),
    )
    socket.on("error", reject)
    socket.on("data", (data) => resolve(data.toString().split("\r\n")[0] ?? ""))
  })

const requests = (path: string) => guarded.asked.filter((one) => one.path === path)
const refreshes = () =>
  requests("/token").filter(({ form }) => form.get("grant_type") === "refresh_token").length
const storedFiles = () => readdirSync(join(state, "mcp", "tokens"))
const sum = (source: ReturnType<typeof sourceOf>) => call(source, "s.add", { a: 2, b: 3 })
const source = (more: WrittenServer = {}) =>
  sourceOf({ s: { url: guarded.url, ...more } }, { state })

describe("a login", () => {
  it("gives calls the rights of the person", async () => {
    expect(await login()).toMatchObject({
      issuer: guarded.issuer,
      scope: "tools:read",
      isRenewed: true,
    })
    const [{ form } = { form: new URLSearchParams() }] = requests("/authorize")
    expect(form.get("code_challenge_method")).toBe("S256")
    expect(form.get("resource")).toBe(guarded.url)
    expect(form.get("redirect_uri")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
    expect((await sum(source())).value).toEqual({ sum: 5 })
  })

  it("is stored for the user alone, without temporary files and locks", async () => {
    await login()
    const [file = "", ...others] = storedFiles()
    expect(others).toEqual([])
    expect(statSync(join(state, "mcp", "tokens", file)).mode & 0o777).toBe(0o600)
    expect(statSync(join(state, "mcp", "tokens")).mode & 0o777).toBe(0o700)
  })

  it("works for a server without metadata, which is its own authorization server", async () => {
    const own = await httpServer(async ({ url }) =>
      new URL(url).pathname === "/.well-known/oauth-authorization-server"
        ? Response.json({
            ...((await (
              await fetch(`${guarded.issuer}${new URL(url).pathname}`)
            ).json()) as object),
            issuer: own.origin,
          })
        : new Response("not found", { status: 404 }),
    )
    try {
      expect(
        await login({
          more: { url: `${own.origin}/mcp` },
          faults: { redirected: { iss: own.origin } },
        }),
      ).toMatchObject({ issuer: own.origin })
    } finally {
      await own.close()
    }
  })

  it("registers once for an address, and again if its port is taken", async () => {
    await login()
    await login()
    expect(requests("/register")).toHaveLength(1)
    const [first, second] = requests("/authorize").map(({ form }) => form.get("redirect_uri"))
    expect(second).toBe(first)
  })

  it("uses a declared client, whose secret stays where it is", async () => {
    const more = { oauth: { client_id: "mine", client_secret: { secret: "CLIENT" } } }
    await login({
      more,
      secrets: { CLIENT: "s3cret-of-client" },
      faults: { metadata: { registration_endpoint: undefined } },
    })
    expect(requests("/authorize")[0]?.form.get("client_id")).toBe("mine")
    const [file = ""] = storedFiles()
    expect(readFileSync(join(state, "mcp", "tokens", file), "utf8")).not.toContain("s3cret")
    expect((await sum(source(more))).value).toEqual({ sum: 5 })
    // Another client has other logins.
    expect((await sum(source())).failure?.message).toContain("planloom mcp login s")
  })

  it("names the document of the client where the authorization server reads it", async () => {
    const client_id = "https://example.com/planloom.json"
    await login({
      more: { oauth: { client_id } },
      faults: { metadata: { client_id_metadata_document_supported: true } },
    })
    expect(requests("/authorize")[0]?.form.get("client_id")).toBe(client_id)
    expect(requests("/register")).toEqual([])
    await login({ more: { oauth: { client_id } } })
    expect(requests("/authorize")[1]?.form.get("client_id")).toBe("registered")
  })

  it("fits the document of a client that the manual describes, as does the client that it registers", async () => {
    const manual = readFileSync(join(import.meta.dirname, "../../../../docs/mcp.md"), "utf8")
    const text = /```json\s+(\{\s+"client_id"[^`]+)```/.exec(manual)![1]!
    const document = JSON.parse(text) as { readonly [member: string]: unknown }
    const { client_id } = document as { readonly client_id: string }
    let registered: object = {}
    await login({
      more: { oauth: { client_id } },
      faults: {
        metadata: { client_id_metadata_document_supported: true },
        // Reads the document as authorization servers do: the port of a loopback address is free.
        answer: (request) => {
          const { pathname, searchParams } = new URL(request.url)
          if (pathname !== "/authorize") return undefined
          const redirect = new URL(searchParams.get("redirect_uri")!)
          redirect.port = ""
          const fits =
            searchParams.get("client_id") === document["client_id"] &&
            (document["redirect_uris"] as ReadonlyArray<string>).includes(redirect.href) &&
            (document["response_types"] as ReadonlyArray<string>).includes("code")
          return fits ? undefined : new Response("unknown client", { status: 400 })
        },
      },
    })
    const [{ form } = { form: new URLSearchParams() }] = requests("/token")
    expect(form.get("client_id")).toBe(client_id)
    expect(document["token_endpoint_auth_method"]).toBe("none")
    expect(form.has("client_secret")).toBe(false)
    expect((await sum(source({ oauth: { client_id } }))).value).toEqual({ sum: 5 })
    await login({
      faults: {
        answer: async (request) => {
          if (new URL(request.url).pathname === "/register")
            registered = (await request.clone().json()) as object
          return undefined
        },
      },
    })
    const { client_id: _, redirect_uris: __, ...same } = document
    expect(registered).toMatchObject(same)
  })

  it("ignores the answer of another login", async () => {
    strays = 0
    const { issuer } = await login({
      browse: async (url) => {
        const redirect = new URL(url).searchParams.get("redirect_uri")!
        expect((await fetch(`${redirect}?code=x&state=wrong`)).status).toBe(400)
        expect((await fetch(`${redirect}?code=x`)).status).toBe(400)
        expect((await fetch(redirect.replace("callback", "other"))).status).toBe(404)
        for (const target of ["//", "*", "http://[", "/callback\u00E4"]) {
          expect(await answerTo(new URL(redirect), target)).toMatch(/^HTTP\/1.1 40/)
        }
        expect(await guarded.browse(url)).toBe(200)
      },
    })
    expect(issuer).toBe(guarded.issuer)
    expect(strays).toBe(2)
  })

  it("ends with the reason of its signal, and stores nothing", async () => {
    const controller = new AbortController()
    const waiting = login({ browse: () => controller.abort("stopped"), signal: controller.signal })
    await expect(waiting).rejects.toBe("stopped")
    expect(existsSync(join(state, "mcp", "tokens"))).toBe(false)
    expect((await sum(source())).failure?.class).toBe("auth")
  })
})

const elsewhere = "http://169.254.169.254/latest"
describe("a login fails, says why and stores no token", () => {
  const wrong: ReadonlyArray<readonly [what: string, faults: Faults, said: RegExp]> = [
    [
      "metadata of another issuer",
      { metadata: { issuer: "https://evil.example" } },
      /is that of another issuer: https:\/\/evil\.example$/,
    ],
    [
      "an answer of another issuer",
      { redirected: { iss: "https://evil.example" } },
      /the answer of the browser is from another issuer: https:\/\/evil\.example instead of http:/,
    ],
    [
      "an answer without its issuer",
      { redirected: { iss: undefined } },
      /does not say which issuer/,
    ],
    [
      "the error of another issuer, which is not shown",
      {
        redirected: {
          iss: "https://evil.example",
          code: undefined,
          error: "x",
          error_description: "call +1 555",
        },
      },
      /^(?!.*call \+1).*from another issuer/,
    ],
    [
      "a refusal",
      {
        redirected: {
          code: undefined,
          error: "access_denied",
          error_description: "not you\n\u001B[31m",
        },
      },
      /refused: access_denied: not you$/,
    ],
    [
      "metadata of another server",
      { resource: { resource: "https://other.example/mcp" } },
      /its metadata is that of https:\/\/other\.example\/mcp, another server/,
    ],
    [
      "an authorization server that is not confidential",
      { resource: { authorization_servers: ["http://example.com"] } },
      /http:\/\/example\.com\/\S+ is not https:\/\//,
    ],
    [
      "an authorization server at an address of a cloud",
      { resource: { authorization_servers: ["https://169.254.169.254"] } },
      /https:\/\/169\.254\.169\.254\/\S+ has an address that is not public/,
    ],
    [
      "an address to log in at that is no web page",
      { metadata: { authorization_endpoint: "file:///etc/passwd" } },
      /the authorization_endpoint of \S+ is not https:\/\//,
    ],
    [
      "an authorization server without PKCE",
      { metadata: { code_challenge_methods_supported: ["plain"] } },
      /does not support PKCE with S256/,
    ],
    [
      "an authorization server that does not mention PKCE",
      { metadata: { code_challenge_methods_supported: undefined } },
      /does not support PKCE with S256/,
    ],
    [
      "no way to be a client",
      { metadata: { registration_endpoint: undefined } },
      /registers no clients by itself: register one there with the redirect http:\/\/127\.0\.0\.1\/callback/,
    ],
    ["a token that is no bearer token", { tokens: { token_type: "DPoP" } }, /is no bearer token/],
    [
      "a token that would end a header",
      { tokens: { access_token: "secret-token\r\nx: y" } },
      /^(?!.*secret-token).*characters that no token has/,
    ],
    [
      "metadata without an end",
      {
        answer: ({ url }) =>
          url.includes("well-known")
            ? new Response("x".repeat(2_000_000), {
                headers: { "content-type": "application/json" },
              })
            : undefined,
      },
      /sent more than 1000000 bytes/,
    ],
    [
      "metadata that is no JSON",
      { answer: ({ url }) => (url.includes("well-known") ? new Response("<html>") : undefined) },
      /the metadata of \S+ cannot be read/,
    ],
    [
      "a redirect of metadata to the address of a cloud",
      {
        answer: ({ url }) =>
          url.includes("well-known")
            ? new Response(null, { status: 302, headers: { location: elsewhere } })
            : undefined,
      },
      /which its metadata names, has no metadata of an authorization server/,
    ],
    [
      "a redirect of the code to another host",
      {
        answer: ({ url }) =>
          url.endsWith("/token")
            ? new Response(null, { status: 307, headers: { location: elsewhere } })
            : undefined,
      },
      /the code of \S+ is refused: server_error/,
    ],
    [
      "an error that repeats what was sent",
      {
        answer: async (request) =>
          request.url.endsWith("/token")
            ? Response.json(
                { error: "invalid_grant", error_description: await request.text() },
                { status: 400 },
              )
            : undefined,
      },
      /the code of \S+ is refused: invalid_grant$/,
    ],
  ]
  it.each(wrong)("for %s", async (_, faults, said) => {
    const failed = await login({ faults }).then(
      () => undefined,
      (error: Error & { readonly class: string }) => error,
    )
    expect(failed?.message).toMatch(said)
    for (const secret of guarded.given) expect(failed?.message).not.toContain(secret)
    guarded.faults.current = {}
    expect((await sum(source())).failure?.message).toBe(
      'the server "s" needs a login: planloom mcp login s',
    )
  })

  it("for a program, a server with an Authorization header and one without TLS", async () => {
    await expect(
      logIn({
        server: serverOf("p", { command: "node" }, "/x/planloom.yaml", "/x"),
        secret: () => undefined,
        state,
        signal: new AbortController().signal,
        show: () => {},
        onStray: () => {},
      }),
    ).rejects.toThrow('the server "p" is a program that planloom starts: it has no login')
    await expect(login({ more: { headers: { AUTHORIZATION: "Basic x" } } })).rejects.toThrow(
      "has an Authorization header of its own",
    )
    await expect(login({ more: { url: "http://example.com/mcp" } })).rejects.toThrow(
      "is not https://",
    )
  })
})

describe("a run that meets a server without a login", () => {
  it("says how to log in, and has the tools of other servers", async () => {
    const both = sourceOf({ s: { url: guarded.url }, math: server("good").declared }, { state })
    const { open, partial, tools } = await listOf(both)
    expect(partial).toBe('the server "s" needs a login: planloom mcp login s')
    expect(open).toEqual(["s.*"])
    expect(tools.map(({ name }) => name)).toContain("math.add")
    expect((await sum(both)).failure).toMatchObject({
      class: "auth",
      message: 'the server "s" needs a login: planloom mcp login s',
    })
    expect((await call(both, "math.add", { a: 2, b: 3 })).value).toEqual({ sum: 5 })
  })

  it("uses a login that comes meanwhile, at once", async () => {
    const open = source()
    for (let time = 0; time < 3; time++) expect((await sum(open)).failure?.class).toBe("auth")
    await login()
    expect((await sum(open)).value).toEqual({ sum: 5 })
  })
})

describe("a token that has ended", () => {
  it("is renewed once for calls at the same time", async () => {
    await login()
    const open = source()
    await sum(open)
    guarded.valid.clear()
    const calls = await Promise.all(Array.from({ length: 8 }, () => sum(open)))
    expect(calls.map(({ value }) => value)).toEqual(calls.map(() => ({ sum: 5 })))
    expect(refreshes()).toBe(1)
  })

  it("is renewed before it is sent", async () => {
    await login({ faults: { lasts: 1 } })
    guarded.faults.current = {}
    const calls = source()
    await Promise.all([sum(calls), sum(calls)])
    expect(refreshes()).toBe(1)
  })

  it("is renewed once for processes that share the state folder", async () => {
    await login({ faults: { lasts: 1 } })
    guarded.faults.current = {}
    const sdk = await loadSdk()
    const one = declared()
    const logins = Array.from(
      { length: 6 },
      () =>
        new ServerLogin(
          { sdk, server: one, secret: () => undefined, store: new LoginStore(state) },
          one.reach as Endpoint,
        ),
    )
    const tokens = await Promise.all(logins.map(({ token }) => token()))
    expect(new Set(tokens).size).toBe(1)
    expect(guarded.valid.has(tokens[0]!)).toBe(true)
    expect(refreshes()).toBe(1)
    expect(storedFiles()).toHaveLength(1)
  })

  it("needs a new login once it can no longer be renewed, and is not tried again", async () => {
    await login()
    const open = source()
    await sum(open)
    guarded.valid.clear()
    guarded.faults.current = {
      answer: ({ url }) =>
        url.endsWith("/token")
          ? Response.json({ error: "invalid_grant", error_description: "gone" }, { status: 400 })
          : undefined,
    }
    expect((await sum(open)).failure?.message).toBe(
      'the server "s" has ended its login: planloom mcp login s',
    )
    expect((await sum(open)).failure?.message).toBe(
      'the server "s" needs a login: planloom mcp login s',
    )
    expect(refreshes()).toBe(1)
    await login()
    expect((await sum(open)).value).toEqual({ sum: 5 })
  })

  it("stays if the authorization server is away", async () => {
    await login()
    const open = source()
    await sum(open)
    guarded.valid.clear()
    guarded.faults.current = {
      answer: ({ url }) =>
        url.endsWith("/token") ? new Response("x", { status: 503 }) : undefined,
    }
    expect((await sum(open)).failure).toMatchObject({
      class: "unavailable",
      message: 'the login of the server "s" cannot be renewed: server_error',
    })
    guarded.faults.current = {}
    expect((await sum(open)).value).toEqual({ sum: 5 })
  })

  it("is renewed once by a server that takes none", async () => {
    await login()
    const open = source()
    await sum(open)
    guarded.faults.current = { tokens: { access_token: "worthless" } }
    guarded.valid.clear()
    expect((await sum(open)).failure).toMatchObject({
      class: "auth",
      message: 'the server "s" does not accept its login: planloom mcp login s',
    })
    expect(refreshes()).toBe(1)
  })
})

describe("a server that wants more rights", () => {
  it("is asked for them together with those before", async () => {
    await login()
    const open = source()
    await listOf(open)
    guarded.faults.current = { callScope: "tools:call" }
    expect((await sum(open)).failure).toMatchObject({
      class: "auth",
      message:
        'the server "s" wants more rights than its login has (tools:call): planloom mcp login s',
    })
    await login({ faults: { callScope: "tools:call" } })
    expect(requests("/authorize").at(-1)?.form.get("scope")).toBe("tools:read tools:call")
    expect((await sum(open)).value).toEqual({ sum: 5 })
  })

  it("gets a right to renew where that is one of its own", async () => {
    await login({ faults: { metadata: { scopes_supported: ["offline_access"] } } })
    expect(requests("/authorize")[0]?.form.get("scope")).toBe("tools:read offline_access")
  })
})

describe("a logout", () => {
  const out = () =>
    logOut({
      server: declared(),
      secret: () => undefined,
      state,
      signal: new AbortController().signal,
    })

  it("ends the tokens and forgets them", async () => {
    await login()
    expect(await out()).toBe("ended")
    expect(requests("/revoke")[0]?.form.get("token")).toMatch(/^refresh-/)
    expect(storedFiles()).toEqual([])
    expect(await out()).toBe("none")
    expect((await sum(source())).failure?.message).toContain("needs a login")
  })

  it("forgets them also where the authorization server does not end them", async () => {
    await login({ faults: { metadata: { revocation_endpoint: undefined } } })
    expect(await out()).toBe("kept")
    expect(storedFiles()).toEqual([])
  })
})
