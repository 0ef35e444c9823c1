/** Endpoints of catalogs: where params go, authentication, and pages. */
import { afterAll, afterEach, assert, describe, it } from "vitest"
import * as fc from "fast-check"
import { ToolFailed, type Json, type JsonObject } from "@planloom/plugin/effect"
import { validatorOf } from "@planloom/schema/ajv"
import type { Auth } from "../src/auth/Auth.ts"
import {
  endpointSchema,
  type Endpoint,
  type Pages,
  type Parameter,
} from "../src/endpoint/Endpoint.ts"
import { checkEndpoint } from "../src/endpoint/checkEndpoint.ts"
import { AllowedHosts } from "../src/net/AllowedHosts.ts"
import { nextLink } from "../src/answer/nextLink.ts"
import { transportOptions } from "../src/config.ts"
import type { HttpConfig } from "../src/configSchema.ts"
import { AddressGuard } from "../src/net/AddressGuard.ts"
import { cases } from "../../../../.config/cases.ts"
import { apiServer, json, type Answer } from "./apiServer.ts"
import { callTool, closeTransports, entryOf } from "./callTool.ts"

const items = Array.from({ length: 5 }, (_, n) => n)

/** Two items of `items` from a position. */
const two = (from: number) => items.slice(from, from + 2)

const pageOf =
  (
    name: string,
    answer: (
      at: string | null,
      origin: string,
    ) => [value: unknown, headers?: Record<string, string>],
  ): Answer =>
  (request, response, origin) => {
    const [value, headers] = answer(new URL(request.url, origin).searchParams.get(name), origin)
    return json(value, 200, headers)(request, response, origin)
  }

const server = await apiServer({
  "/linked": pageOf("from", (at, origin) => {
    const next = Number(at ?? 0) + 2
    return [
      two(Number(at ?? 0)),
      next < 5
        ? { link: `<${origin}/linked?from=${next}&key=old>; rel="next", </>; rel=first` }
        : {},
    ]
  }),
  "/cursor": pageOf("after", (at) => [
    {
      data: two(Number(at ?? 0)),
      meta: { next: Number(at ?? 0) + 2 < 5 ? String(Number(at ?? 0) + 2) : null },
    },
  ]),
  "/paged": pageOf("page", (at) => [two((Number(at) - 1) * 2)]),
  "/offset": pageOf("offset", (at) => [{ rows: two(Number(at)) }]),
  "/same": pageOf("after", () => [{ data: [1], next: "x" }]),
  "/elsewhere": json([1], 200, { link: '<https://elsewhere.example.com/>; rel="next"' }),
  "*": ({ body, headers, method, url }, response) =>
    json({ method, url, headers, body })({} as never, response, ""),
})
afterAll(() => server.close())
afterEach(() => {
  closeTransports()
  server.received.length = 0
})

const { origin } = server

interface Case {
  readonly auth?: { readonly [host: string]: Auth }
  readonly secrets?: { readonly [name: string]: string }
}

const call = (
  endpoint: Partial<Endpoint> & { readonly url: string },
  params: JsonObject = {},
  more: Case = {},
) =>
  callTool(
    { hosts: [origin], private: ["127.0.0.1"], ...more },
    entryOf({ ...endpoint, url: `${origin}${endpoint.url}` }),
    params,
  )

/** The request that the server got. */
const sent = async (...given: Parameters<typeof call>) => {
  const value = await call(...given)
  if (value instanceof ToolFailed) throw new Error(value.message)
  return server.received.at(-1)!
}

const failure = async (...given: Parameters<typeof call>): Promise<string> => {
  const value = await call(...given)
  assert.instanceOf(value, ToolFailed)
  return `${(value as ToolFailed).class}: ${(value as ToolFailed).message}`
}

describe("a param", () => {
  const list = ["a", "b c"]
  const object = { x: 1, y: "é" }
  it.each<[title: string, path: string, parameter: Parameter, value: Json, url: string]>([
    ["of a path", "/{p}", { in: "path" }, "a/b?c#d%", "/a%2Fb%3Fc%23d%25"],
    ["of a path, a list", "/{p}", { in: "path" }, list, "/a,b%20c"],
    ["of a path, an object", "/{p}", { in: "path" }, object, "/x,1,y,%C3%A9"],
    [
      "of a path, an exploded object",
      "/{p}",
      { in: "path", explode: true },
      object,
      "/x=1,y=%C3%A9",
    ],
    ["of a path, a label", "/{p}", { in: "path", style: "label" }, "a", "/.a"],
    [
      "of a path, an exploded label",
      "/{p}",
      { in: "path", style: "label", explode: true },
      list,
      "/.a.b%20c",
    ],
    ["of a path, a matrix", "/{p}", { in: "path", style: "matrix" }, list, "/;p=a,b%20c"],
    [
      "of a path, an exploded matrix",
      "/{p}",
      { in: "path", style: "matrix", explode: true },
      list,
      "/;p=a;p=b%20c",
    ],
    [
      "of a path, an object as exploded matrix",
      "/{p}",
      { in: "path", style: "matrix", explode: true },
      object,
      "/;x=1;y=%C3%A9",
    ],
    ["of a query", "/", { in: "query" }, "a&b=c d", "/?p=a%26b%3Dc%20d"],
    ["of a query, a list", "/", { in: "query" }, list, "/?p=a&p=b%20c"],
    ["of a query, a list in one", "/", { in: "query", explode: false }, list, "/?p=a,b%20c"],
    ["of a query, by spaces", "/", { in: "query", style: "spaceDelimited" }, list, "/?p=a%20b%20c"],
    ["of a query, by pipes", "/", { in: "query", style: "pipeDelimited" }, list, "/?p=a%7Cb%20c"],
    ["of a query, an object", "/", { in: "query" }, object, "/?x=1&y=%C3%A9"],
    [
      "of a query, a deep object",
      "/",
      { in: "query", style: "deepObject" },
      object,
      "/?p%5Bx%5D=1&p%5By%5D=%C3%A9",
    ],
    [
      "of a query, reserved characters",
      "/",
      { in: "query", reserved: true },
      "a/b:c&d",
      "/?p=a/b:c%26d",
    ],
    [
      "of a query, as JSON",
      "/",
      { in: "query", json: true },
      { a: [1] },
      "/?p=%7B%22a%22%3A%5B1%5D%7D",
    ],
    [
      "of a query, by another name",
      "/",
      { in: "query", name: "page[size]" },
      2,
      "/?page%5Bsize%5D=2",
    ],
    ["of a query, null", "/", { in: "query" }, null, "/"],
  ])("%s is encoded", async (_, url, parameter, p, expected) => {
    const { url: got } = await sent({ url, parameters: { p: parameter } }, { p })
    assert.strictEqual(got, expected)
  })

  it("without a place goes into the path, the query of a read, or the body of a write", async () => {
    const params = { id: "7", state: "open" }
    assert.strictEqual(
      (await sent({ url: "/t/{id}?v=2", query: { all: true } }, params)).url,
      "/t/7?v=2&all=true&state=open",
    )
    const write = await sent({ method: "PATCH", url: "/t/{id}" }, params)
    assert.deepInclude(write, { url: "/t/7", body: '{"state":"open"}' })
    assert.strictEqual(write.headers["content-type"], "application/json")
  })

  it("can be the whole body, a form, or text", async () => {
    const whole = { method: "POST", url: "/", parameters: { list: { in: "body" } } } as const
    assert.strictEqual((await sent(whole, { list: [1, 2] })).body, "[1,2]")
    const form = await sent({ method: "POST", url: "/", body: "form" }, { a: "x&y", b: [1, 2] })
    assert.strictEqual(form.body, "a=x%26y&b=1&b=2")
    assert.strictEqual(form.headers["content-type"], "application/x-www-form-urlencoded")
    const text = await sent({ ...whole, body: "text", content_type: "text/csv" }, { list: "a,b" })
    assert.strictEqual(text.body, "a,b")
    assert.strictEqual(text.headers["content-type"], "text/csv")
  })

  it("can be a header or a cookie, without line ends", async () => {
    const parameters = { tag: { in: "header", name: "X-Tag" }, seen: { in: "cookie" } } as const
    const { headers } = await sent({ url: "/", parameters }, { tag: ["a", "b"], seen: "x;y" })
    assert.deepInclude(headers, { "x-tag": "a,b", cookie: "seen=x%3By" })
    assert.match(
      await failure({ url: "/", parameters }, { tag: "a\r\nhost: b" }),
      /^invalid_request: the header "X-Tag"/,
    )
  })

  it.each(["..", ".", "../admin", "a/../b", "..\\b", "%2e%2e/x"])(
    "of a path cannot leave it as %s",
    async (id) => {
      const value = await call({ url: "/users/{id}/posts" }, { id })
      const url = server.received.at(-1)?.url
      if (value instanceof ToolFailed) assert.include(value.message, "the segment . or ..")
      else assert.strictEqual(url, `/users/${encodeURIComponent(id)}/posts`)
    },
  )

  it.each(["..;", "..;a=b", ".;", "%2e%2e", "%252e%252e", "%25252e.", "..%3b", "%2e%2e%3bx"])(
    "of a path is seen to climb in the form %s, which some servers decode",
    (segment) => {
      const hosts = new AllowedHosts(["api.example.com/v1"])
      for (const end of ["/admin", "%2fadmin", "%252fadmin"]) {
        const url = new URL("https://api.example.com/")
        url.pathname = `/v1/${segment}${end}`
        assert.match(String(hosts.problem(url)), /outside/, url.href)
      }
      assert.isUndefined(hosts.problem(new URL("https://api.example.com/v1/a..b/c;d=.e/%2520")))
    },
  )

  it("of a path must be there", async () => {
    assert.strictEqual(
      await failure({ url: "/{id}" }, { id: "" }),
      'invalid_request: "id" must not be empty: it is part of the path',
    )
    assert.strictEqual(await failure({ url: "/{id}" }), 'invalid_request: the path needs "id"')
  })
})

describe("authentication", () => {
  const secrets = { KEY: "s3cret/key", USER: "ada", PASSWORD: "pässword" }
  it.each<[title: string, auth: Auth | ReadonlyArray<Auth>, name: string, value: string]>([
    ["a bearer token", { bearer: "KEY" }, "authorization", "Bearer s3cret/key"],
    [
      "a header with prefix",
      { header: "X-Key", secret: "KEY", prefix: "Token " },
      "x-key",
      "Token s3cret/key",
    ],
    ["a cookie", { cookie: "sid", secret: "KEY" }, "cookie", "sid=s3cret%2Fkey"],
    [
      "name and password",
      { basic: { user: "USER", password: "PASSWORD" } },
      "authorization",
      `Basic ${Buffer.from("ada:pässword").toString("base64")}`,
    ],
    ["several", [{ bearer: "KEY" }, { header: "X-User", secret: "USER" }], "x-user", "ada"],
  ])("by %s is sent, and hidden in the answer", async (_, auth, name, value) => {
    const answer = await call({ url: "/", auth }, {}, { secrets })
    assert.strictEqual(server.received.at(-1)!.headers[name], value)
    assert.notInclude(JSON.stringify(answer), "s3cret")
    assert.notInclude(JSON.stringify(answer), Buffer.from("ada:pässword").toString("base64"))
  })

  it("by a query parameter is sent with each page, and hidden in the answer", async () => {
    const auth = { query: "key", secret: "KEY" } as const
    const answer = await call({ url: "/linked", auth, pages: { by: "link" } }, {}, { secrets })
    assert.deepInclude(answer as object, { pages: 3 })
    assert.deepStrictEqual(
      server.received.map(({ url }) => url.split("key=s3cret%2Fkey").length - 1),
      [1, 1, 1],
    )
    assert.notInclude(JSON.stringify(await call({ url: "/", auth }, {}, { secrets })), "s3cret")
  })

  it("by a query parameter is not in the URL of an answer, however short or special it is", async () => {
    for (const key of ["k!1", "p*ss(word)!"]) {
      const answer = await callTool(
        {
          hosts: [origin],
          private: ["127.0.0.1"],
          auth: { [origin]: { query: "key", secret: "KEY" } },
          secrets: { KEY: key },
        },
        "http_get",
        { url: `${origin}/x?a=1` },
      )
      assert.include(server.received.at(-1)!.url, "key=")
      assert.strictEqual((answer as JsonObject)["url"], `${origin}/x?a=1`)
      if (key.length > 5) assert.notMatch(JSON.stringify(answer), /p%2Ass|p\*ss/)
    }
  })

  it("without a value of the secret fails by its name", async () => {
    assert.strictEqual(
      await failure({ url: "/", auth: { bearer: "KEY" } }),
      "auth: the secret KEY has no value: name it under secrets: in the workflow and set it in the environment",
    )
    assert.lengthOf(server.received, 0)
  })

  it("of a host is for endpoints without their own", async () => {
    const auth = { [origin]: { bearer: "KEY" } } as const
    assert.strictEqual(
      (await sent({ url: "/" }, {}, { auth, secrets })).headers.authorization,
      "Bearer s3cret/key",
    )
    assert.isUndefined(
      (await sent({ url: "/", auth: [] }, {}, { auth, secrets })).headers.authorization,
    )
  })
})

describe("pages", () => {
  it.each<[path: string, pages: Pages]>([
    ["/linked", { by: "link" }],
    ["/cursor", { by: "cursor", param: "after", next: "meta.next", items: "data" }],
    ["/paged", { by: "page", param: "page" }],
    ["/offset", { by: "offset", param: "offset", items: "rows" }],
  ])("of %s are read to the last", async (url, pages) => {
    const { complete, items: all } = (await call({ url, pages })) as {
      readonly complete: boolean
      readonly items: Json
    }
    assert.deepStrictEqual(all, items)
    assert.isTrue(complete)
  })

  it("beyond the limit fail, unless a part is accepted", async () => {
    const pages = { by: "link", limit: 2 } as const
    assert.strictEqual(
      await failure({ url: "/linked", pages }),
      "too_large: there are more than 2 pages; raise `limit` of `pages`, or accept an incomplete list with `partial: true`",
    )
    assert.deepStrictEqual(await call({ url: "/linked", pages: { ...pages, partial: true } }), {
      items: [0, 1, 2, 3],
      pages: 2,
      complete: false,
    })
  })

  it("in a circle, at another origin, or without a list fail", async () => {
    const cursor = { by: "cursor", param: "after", next: "next", items: "data" } as const
    assert.match(
      await failure({ url: "/same", pages: cursor }),
      /^tool_error: .* gives the same page again/,
    )
    assert.match(
      await failure({ url: "/elsewhere", pages: { by: "link" } }),
      /^tool_error: .* at another origin/,
    )
    assert.match(
      await failure({ url: "/", pages: { by: "link" } }),
      /^invalid_output: .* has no list of items/,
    )
  })

  it("are found in a header `link` of any form", () => {
    const base = new URL("https://a.example.com/x")
    const next = (header: string) => nextLink(header, base)?.href
    assert.strictEqual(
      next('</y?a=1,2>; rel="prev", </z>; title="a, b"; rel=next'),
      "https://a.example.com/z",
    )
    assert.strictEqual(next('<?p=2>; rel="last next"'), "https://a.example.com/x?p=2")
    assert.isUndefined(next('<https://a.example.com/y>; rel="prev"'))
  })
})

describe("the check of an endpoint", () => {
  const params = { type: "object", properties: { id: { type: "string" } } } as const
  it.each<[title: string, endpoint: Endpoint, problem: string]>([
    ["that is right", { url: "https://api.example.com/{id}" }, ""],
    [
      "of a host outside the list",
      { url: "https://x.example.com/" },
      "HTTP002 with.url x.example.com is not in `hosts` of @planloom/tools-http: it has api.example.com, http://127.0.0.1:9000",
    ],
    [
      "of a listed host whose address is not public",
      { url: "http://127.0.0.1:9000/" },
      "HTTP002 with.url 127.0.0.1 is not a public address, and `private` of @planloom/tools-http does not have it",
    ],
    [
      "without a scheme",
      { url: "api.example.com" },
      'HTTP001 with.url "api.example.com" is not a URL such as https://api.example.com/items/{id}',
    ],
    [
      "with a param as host",
      { url: "https://{id}.example.com/" },
      "HTTP001 with.url the host of a URL cannot be a param",
    ],
    [
      "with an unknown param",
      { url: "https://api.example.com/{no}" },
      'HTTP004 with.url the URL needs {no}, and the tool has no param "no"',
    ],
    [
      "that places an unknown param",
      { url: "https://api.example.com/", parameters: { no: { in: "query" } } },
      'HTTP004 with.parameters.no the tool has no param "no"',
    ],
    [
      "with a method outside the list",
      { method: "DELETE", url: "https://api.example.com/" },
      "HTTP003 with.method the method DELETE is not in `methods` of the plugin's config",
    ],
    [
      "that sets authentication as a header",
      { url: "https://api.example.com/", headers: { Authorization: "x" } },
      'HTTP005 with.headers.Authorization the header "Authorization" authenticates: use `auth` with the name of a secret',
    ],
    [
      "with incomplete pages",
      { url: "https://api.example.com/", pages: { by: "page" } as Pages },
      'HTTP006 with.pages pages by page need "param"',
    ],
  ])("%s reports its problem", (_, endpoint, problem) => {
    assert.deepStrictEqual(validatorOf(endpointSchema)(endpoint as never), [])
    const found = checkEndpoint(entryOf(endpoint, { params }), {
      hosts: ["api.example.com", "http://127.0.0.1:9000"],
      private: [],
      methods: ["GET"],
    })
    assert.strictEqual(
      found.map(({ at, code, message }) => `${code} ${at.join(".")} ${message}`).join("\n"),
      problem,
    )
  })

  it("states the config with which no problem is left, for any host", () => {
    const octet = fc.integer({ min: 0, max: 255 })
    const host = fc.oneof(
      fc.constantFrom("localhost", "api.localhost", "127.0.0.1", "[::1]", "10.0.0.1", "[fd00::1]"),
      fc.tuple(octet, octet, octet, octet).map((octets) => octets.join(".")),
      fc.domain(),
    )
    const port = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined })
    fc.assert(
      fc.property(
        host,
        fc.constantFrom("http", "https"),
        port,
        fc.boolean(),
        (name, scheme, at, isListed) => {
          const url = `${scheme}://${name}${at === undefined ? "" : `:${at}`}/x`
          const hosts = isListed ? [new URL(url).origin] : []
          const problems = (config: HttpConfig) =>
            checkEndpoint(entryOf({ url }), transportOptions({ hosts, ...config }))
          const [first] = problems({})
          if (first === undefined) return
          const [, flow = ""] = /"@planloom\/tools-http": (\{.*\}) \}$/.exec(first.fix ?? "") ?? []
          const config = JSON.parse(flow.replaceAll(/(\w+): \[/g, '"$1": [')) as HttpConfig
          assert.deepStrictEqual(problems(config), [])
          const guard = new AddressGuard(config.private ?? [])
          assert.doesNotThrow(() => guard.checkLiteral(new URL(url).hostname))
        },
      ),
      { numRuns: cases(200) },
    )
  })

  it("gives the effect by the method", () => {
    const effects = ["GET", "HEAD", "PUT", "POST"].map((method) => {
      const { effect, idempotent } = entryOf({ method, url: "https://api.example.com/" })
      return [method, effect, idempotent]
    })
    assert.deepStrictEqual(effects, [
      ["GET", "read", true],
      ["HEAD", "read", true],
      ["PUT", "write", true],
      ["POST", "write", false],
    ])
  })
})
