/** OpenAPI documents as catalogs: public ones against a server that answers from them, and each part of a document. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { afterAll, assert, describe, it } from "vitest"
import type { Json, JsonObject, Tool } from "@planloom/plugin/effect"
import { targetOf } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import type { Endpoint } from "../src/endpoint/Endpoint.ts"
import { checkEndpoint } from "../src/endpoint/checkEndpoint.ts"
import { endpointSchema, methods } from "../src/endpoint/Endpoint.ts"
import { importOpenApi, ImportRejected, type ImportOptions } from "../src/openapi/index.ts"
import { snakeName } from "../src/openapi/words.ts"
import { apiServer, json, type Received } from "./apiServer.ts"
import { callTool, closeTransports } from "./callTool.ts"
import { sampleValue } from "./sampleValue.ts"

type Loose = { readonly [key: string]: any }

const require = createRequire(import.meta.url)

const specs: { readonly [title: string]: string } = {
  petstore: require.resolve("@readme/oas-examples/3.0/json/petstore.json"),
  "stapi.co": require.resolve("@readme/oas-examples/3.0/json/star-trek.json"),
  "Scalar Galaxy": require.resolve("@scalar/galaxy/3.1.json"),
}

const read = (path: string): Loose => JSON.parse(readFileSync(path, "utf8"))

/** By path prefix: the document that the server answers from. */
const documents = new Map<string, Loose>()

const deref = (document: Loose, part: Loose): Loose =>
  part?.["$ref"] === undefined
    ? part
    : deref(document, targetOf(document as never, part["$ref"]) as Loose)

interface Match {
  readonly document: Loose
  readonly path: string
  readonly operation: Loose
  readonly item: Loose
  /** Values of the path, decoded. */
  readonly values: { readonly [name: string]: string }
}

/** The operation that a request is for, found by the document alone. */
const matchOf = ({ method, url }: Received): Match | undefined => {
  const [, prefix = "", rest = ""] = /^\/([^/]+)([^?]*)/.exec(url) ?? []
  const document = documents.get(prefix)
  // A path without params comes before one with them.
  const paths = Object.entries<Loose>(document?.["paths"] ?? {}).toSorted(
    ([a], [b]) => a.split("{").length - b.split("{").length,
  )
  for (const [path, item] of paths) {
    const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!)
    const found = new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, "([^/]+)")}$`).exec(rest)
    const operation = item[method.toLowerCase()]
    if (found === null || operation === undefined) continue
    const values = Object.fromEntries(
      names.map((name, index) => [name, decodeURIComponent(found[index + 1]!)]),
    )
    return { document: document!, path, operation, item, values }
  }
  return undefined
}

const answerOf = ({
  document,
  operation,
}: Match): { readonly status: number; readonly type?: string; readonly value: Json } => {
  const [status, written] = Object.entries<Loose>(operation["responses"]).find(([code]) =>
    code.startsWith("2"),
  ) ?? ["200", {}]
  const { content } = deref(document, written)
  const type =
    content?.["application/json"] === undefined ? Object.keys(content ?? {})[0] : "application/json"
  const schema = content?.[type ?? ""]?.schema
  return {
    status: Number(status),
    ...(type === undefined ? {} : { type }),
    value: schema === undefined ? null : sampleValue(schema, document),
  }
}

const server = await apiServer({
  "*": (request, response, origin) => {
    const match = matchOf(request)
    if (match === undefined) return void response.writeHead(404).end()
    const { status, type, value } = answerOf(match)
    return type === undefined
      ? void response.writeHead(status).end()
      : json(value, status, { "content-type": type })(request, response, origin)
  },
})
afterAll(async () => {
  closeTransports()
  await server.close()
})

const imported = (document: Loose, more: Partial<ImportOptions> = {}) =>
  importOpenApi(document as Json, { source: "spec.yaml", ...more })

const toolsOf = (catalog: JsonObject) => catalog["tools"] as unknown as ReadonlyArray<Tool>

const endpointIn = (tool: Tool) => tool.with as unknown as Endpoint

/** What an operation's document says of a request, decoded from the request. */
const decoded = (match: Match, request: Received, tool: Tool): JsonObject => {
  const url = new URL(request.url, server.origin)
  const wireNames = Object.entries(endpointIn(tool).parameters ?? {}).map(
    ([param, { name = param }]) => [name, param],
  )
  const paramOf = (name: string) => String(Object.fromEntries(wireNames)[name] ?? name)
  const all = [...(match.item["parameters"] ?? []), ...(match.operation["parameters"] ?? [])].map(
    (one) => deref(match.document, one),
  )
  const found: { [param: string]: Json } = {}
  for (const { in: place, name, schema } of all) {
    const type = deref(match.document, schema ?? {})?.["type"]
    const values =
      place === "path"
        ? [match.values[name]]
        : place === "query"
          ? url.searchParams.getAll(name)
          : [request.headers[name.toLowerCase()] as string | undefined]
    const typed = values.map((text) =>
      type === "integer" || type === "number"
        ? Number(text)
        : type === "boolean"
          ? text === "true"
          : (text as Json),
    )
    if (values[0] !== undefined) found[paramOf(name)] = type === "array" ? typed : typed[0]!
  }
  if (request.body !== "") {
    const form = request.headers["content-type"] === "application/x-www-form-urlencoded"
    found["body"] = form
      ? Object.fromEntries(new URLSearchParams(request.body))
      : (JSON.parse(request.body) as Json)
  }
  return found
}

/** Values of a form are texts. */
const asForm = (params: JsonObject): JsonObject => ({
  ...params,
  body: Object.fromEntries(
    Object.entries(params["body"] as JsonObject).map(([name, value]) => [name, String(value)]),
  ),
})

describe("the public document", () => {
  it.each(Object.entries(specs))(
    "of %s is imported, and each of its operations can be called",
    async (title, name) => {
      const document = read(name)
      const prefix = snakeName(title)
      documents.set(prefix, document)
      const baseUrl = `${server.origin}/${prefix}`
      const { catalog, operations, secrets } = imported(document, { baseUrl, name: prefix })
      assert.strictEqual(operations.imported, operations.all)
      const allowed = { hosts: [server.origin], private: ["127.0.0.1"], methods }
      for (const tool of toolsOf(catalog)) {
        assert.deepStrictEqual(validatorOf(endpointSchema)(tool.with as Json), [], tool.name)
        assert.deepStrictEqual(checkEndpoint(tool, allowed), [], tool.name)
        const params = sampleValue(tool.params as Loose, tool.params as object) as JsonObject
        assert.deepStrictEqual(validatorOf(tool.params)(params), [], tool.name)
        server.received.length = 0
        const value = await callTool(
          {
            hosts: allowed.hosts,
            private: ["127.0.0.1"],
            secrets: Object.fromEntries(secrets.map((one) => [one, "s3cret-value"])),
          },
          tool,
          params,
        )
        const [request] = server.received
        assert.isDefined(request, `${tool.name}: ${JSON.stringify(value)}`)
        const match = matchOf(request!)!
        assert.strictEqual(
          snakeName(match.operation["operationId"] ?? `${request!.method} ${match.path}`),
          tool.name,
        )
        const isForm = endpointIn(tool).body === "form"
        assert.deepStrictEqual(
          decoded(match, request!, tool),
          isForm ? asForm(params) : params,
          tool.name,
        )
        const { auth = [] } = endpointIn(tool)
        const sent = JSON.stringify([request!.headers, request!.url])
        if ([auth].flat().length > 0) {
          assert.match(sent, /s3cret-value|czNjcmV0LXZhbHVl/, tool.name)
        }
        assert.deepStrictEqual(value, answerOf(match).value, tool.name)
        if (tool.result !== undefined)
          assert.deepStrictEqual(validatorOf(tool.result)(value as Json), [], tool.name)
      }
    },
  )
})

/** A document with one operation. */
const documentOf = (
  operation: Loose,
  more: Loose = {},
  at = "/items/{id}",
  method = "get",
): Loose => ({
  openapi: "3.0.3",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "https://shop.example.com" }],
  paths: { [at]: { [method]: { operationId: "getItem", ...operation } } },
  ...more,
})

const id = { name: "id", in: "path", required: true, schema: { type: "integer" } }

const one = (document: Loose, more: Partial<ImportOptions> = {}) => {
  const { catalog, skipped, ...rest } = imported(document, more)
  return {
    tool: toolsOf(catalog)[0]!,
    said: skipped.map(({ message, path }) => `${path.join(".")}: ${message}`),
    catalog,
    ...rest,
  }
}

describe("an operation", () => {
  it("becomes a tool with params by place, effect by method and a short description", () => {
    const { tool, said } = one(
      documentOf({
        summary: "Gets **an item** of <b>the</b> [shop](https://shop.example.com).",
        description: "The first paragraph.\n\nMore.",
        tags: ["Shop Items"],
        parameters: [
          id,
          {
            name: "filter[size]",
            in: "query",
            style: "deepObject",
            explode: true,
            schema: { type: "object" },
          },
          {
            name: "ids",
            in: "query",
            explode: false,
            schema: { type: "array", items: { type: "integer" } },
          },
          { name: "X-Trace", in: "header", schema: { type: "string" } },
          { name: "seen", in: "cookie", schema: { type: "string" } },
          {
            name: "q",
            in: "query",
            content: { "application/json": { schema: { type: "object" } } },
          },
          { name: "Authorization", in: "header", schema: { type: "string" } },
        ],
      }),
    )
    assert.deepStrictEqual(said, [])
    assert.deepInclude(tool, {
      name: "get_item",
      summary: "Gets an item of the shop.",
      when_to_use: "The first paragraph.",
      group: "shop_items",
      source: "http",
      with: {
        url: "https://shop.example.com/items/{id}",
        parameters: {
          filter_size: { in: "query", style: "deepObject", explode: true, name: "filter[size]" },
          ids: { in: "query", explode: false },
          "X-Trace": { in: "header" },
          seen: { in: "cookie" },
          q: { in: "query", json: true },
        },
      },
    })
    assert.deepInclude(tool.params as object, { required: ["id"], additionalProperties: false })
  })

  it.each<[title: string, document: Loose, said: ReadonlyArray<string>]>([
    [
      "with an external reference",
      documentOf({ parameters: [{ $ref: "other.yaml#/x" }, id] }),
      [
        'paths./items/{id}.get.parameters.0.$ref: "other.yaml#/x" is outside this document; bundle the document into one file first',
      ],
    ],
    [
      "with a reference that leads nowhere",
      documentOf({ parameters: [id], responses: { 200: { $ref: "#/components/no" } } }),
      [
        'paths./items/{id}.get.responses.200.$ref: "#/components/no" leads nowhere in this document',
      ],
    ],
    [
      "with a required body of an unsupported type",
      documentOf(
        {
          parameters: [id],
          requestBody: { required: true, content: { "multipart/form-data": {} } },
        },
        {},
        "/items/{id}",
        "post",
      ),
      [
        "paths./items/{id}.post.requestBody.content: a body of the type multipart/form-data is not supported; the operation POST /items/{id} is left out",
      ],
    ],
    [
      "with a parameter that frames the message",
      documentOf({ parameters: [id, { name: "Host", in: "header" }] }),
      [
        'paths./items/{id}.get.parameters.1: the header "Host" is set by the request itself; the parameter is left out',
      ],
    ],
    [
      "with a cookie that is a list",
      documentOf({ parameters: [id, { name: "c", in: "cookie", schema: { type: "array" } }] }),
      [
        "paths./items/{id}.get.parameters.1: a cookie that is a list is not supported; the parameter is left out",
      ],
    ],
    [
      "without a description of its path",
      documentOf({}),
      [
        "paths./items/{id}.get: the path has {id}, which no parameter describes; it is taken as a text",
      ],
    ],
    [
      "with a pattern beyond linear time",
      documentOf({ parameters: [{ ...id, schema: { type: "string", pattern: "^(?=x)" } }] }),
      [
        "paths./items/{id}.get.parameters.0.schema.pattern: the pattern does not match in linear time (look-around, back-references); it is left out",
      ],
    ],
    [
      "with a type that JSON Schema does not have",
      documentOf({ parameters: [{ ...id, schema: { type: "money" } }] }),
      [
        'paths./items/{id}.get.parameters.0.schema.type: "money" is not a type of JSON Schema; any type is accepted',
      ],
    ],
    [
      "with callbacks and webhooks",
      documentOf({ parameters: [id], callbacks: { done: {} } }, { webhooks: { sold: {} } }),
      [
        "paths./items/{id}.get.callbacks.done: callbacks are not imported",
        "webhooks.sold: webhooks are not imported",
      ],
    ],
    [
      "by TRACE",
      documentOf({}, {}, "/", "trace"),
      ["paths./.trace: the method TRACE is not supported; the operation TRACE / is left out"],
    ],
  ])("%s is reported at its place", (_, document, said) => {
    assert.deepStrictEqual(one(document).said, said)
  })

  it("whose name is taken gets a number, and is reported", () => {
    const { catalog, said } = one({
      ...documentOf({ parameters: [id] }),
      paths: { "/a": { get: { operationId: "x" }, put: { operationId: "X" } } },
    })
    assert.deepStrictEqual(
      toolsOf(catalog).map(({ name }) => name),
      ["x", "x_2"],
    )
    assert.deepStrictEqual(said, [
      'paths./a.put: the name "x" is taken by another operation; its tool is "x_2"',
    ])
  })

  it("without an operationId is named by method and path", () => {
    const { tool } = one(documentOf({ operationId: undefined, parameters: [id] }))
    assert.strictEqual(tool.name, "get_items_id")
  })

  it("takes its server from itself, with variables, or from --base-url", () => {
    const servers = [
      { url: "https://{region}.example.com/v1/", variables: { region: { default: "eu" } } },
    ]
    const document = documentOf({ parameters: [id], servers })
    assert.strictEqual(endpointIn(one(document).tool).url, "https://eu.example.com/v1/items/{id}")
    assert.strictEqual(
      endpointIn(one(document, { baseUrl: "http://localhost:1/" }).tool).url,
      "http://localhost:1/items/{id}",
    )
    const relative = documentOf({ parameters: [id] }, { servers: [{ url: "/api" }] })
    assert.strictEqual(
      endpointIn(one(relative, { url: "https://a.example.com/docs/spec.json" }).tool).url,
      "https://a.example.com/api/items/{id}",
    )
    assert.throws(() => one(relative), ImportRejected, "name it with --base-url")
    assert.include(one(document).config, `{ hosts: ["eu.example.com"] }`)
  })

  it("authenticates by its security scheme with named secrets", () => {
    const securitySchemes = {
      key: { type: "apiKey", in: "header", name: "X-Key" },
      user: { type: "http", scheme: "basic" },
      token: { type: "oauth2", flows: {} },
      cert: { type: "mutualTLS" },
    }
    const withSecurity = (security: unknown, root: unknown = [{ key: [] }]) =>
      one(
        documentOf(
          { parameters: [id], security },
          { security: root, components: { securitySchemes } },
        ),
        { name: "shop" },
      )
    assert.deepStrictEqual(endpointIn(withSecurity(undefined).tool).auth, {
      header: "X-Key",
      secret: "SHOP_KEY",
    })
    assert.deepStrictEqual(endpointIn(withSecurity([]).tool).auth, [])
    assert.deepStrictEqual(endpointIn(withSecurity([{ user: [], token: [] }]).tool).auth, [
      { basic: { user: "SHOP_USER_USER", password: "SHOP_USER_PASSWORD" } },
      { bearer: "SHOP_TOKEN" },
    ])
    assert.deepStrictEqual(endpointIn(withSecurity([{ cert: [] }, { key: [] }]).tool).auth, {
      header: "X-Key",
      secret: "SHOP_KEY",
    })
    assert.deepStrictEqual(withSecurity([{ cert: [] }]).said, [
      'components.securitySchemes.cert: the security scheme "cert" is not supported; calls get no authentication from it',
    ])
    assert.deepStrictEqual(withSecurity([{ user: [] }]).secrets, [
      "SHOP_USER_USER",
      "SHOP_USER_PASSWORD",
    ])
  })
})

describe("a schema", () => {
  const schemas = {
    Item: {
      type: "object",
      required: ["id", "secret", "name"],
      properties: {
        id: { type: "integer", readOnly: true },
        secret: { type: "string", writeOnly: true },
        name: { type: "string", nullable: true, example: "x", xml: {} },
        price: { type: "number", minimum: 0, exclusiveMinimum: true },
        kind: { type: "string", enum: ["a"], nullable: true },
        parent: { $ref: "#/components/schemas/Item" },
        other: { oneOf: [{ $ref: "#/components/schemas/Tag" }, { type: "string" }] },
        pet: {
          oneOf: [{ type: "object" }, { type: "object" }],
          discriminator: { propertyName: "kind" },
        },
      },
    },
    Tag: {
      allOf: [{ type: "object", required: ["t"] }, { properties: { t: { type: "string" } } }],
    },
  }
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Item" } } }
  const { said, tool } = one(
    documentOf(
      { requestBody: { required: true, content }, responses: { 201: { content }, 204: {} } },
      { components: { schemas } },
      "/items",
      "post",
    ),
  )
  const params = (body: Json) => validatorOf(tool.params)({ body }).length === 0
  const result = (value: Json) => validatorOf(tool.result!)(value).length === 0

  it("stands alone, with references, cycles, nullable and exclusive limits", () => {
    assert.deepStrictEqual(said, [])
    assert.isTrue(
      params({
        secret: "s",
        name: null,
        price: 0.1,
        kind: null,
        parent: { secret: "t", name: "n" },
        other: { t: "x" },
      }),
    )
    assert.isFalse(params({ secret: "s", name: null, price: 0 }))
    assert.isFalse(params({ secret: "s", name: 1 }))
    assert.isFalse(params({ secret: "s", name: "n", parent: { name: "n" } }))
    assert.isFalse(params({ secret: "s", name: "n", other: {} }))
    assert.isTrue(params({ secret: "s", name: "n", pet: { kind: "dog" } }))
  })

  it("of a request has no read-only fields, and one of an answer needs no write-only ones", () => {
    assert.isTrue(params({ secret: "s", name: "n" }))
    assert.isTrue(result({ id: 1, name: "n" }))
    assert.isFalse(result({ name: "n" }))
  })

  it("of an answer accepts that of each successful status", () => {
    assert.isTrue(result(null))
    assert.isFalse(result("text"))
  })

  it("with too many paths through references leaves the operation out, or its answer unchecked", () => {
    const doubling: { [name: string]: Loose } = { S0: { type: "object" } }
    for (let level = 1; level <= 34; level++) {
      const $ref = `#/components/schemas/S${level - 1}`
      doubling[`S${level}`] = { allOf: [{ $ref }, { $ref }] }
    }
    const hostile = { "application/json": { schema: { $ref: "#/components/schemas/S34" } } }
    const of = (operation: Loose) =>
      imported(documentOf(operation, { components: { schemas: doubling } }, "/items", "post"))
    const body = of({ requestBody: { required: true, content: hostile }, responses: {} })
    assert.lengthOf(toolsOf(body.catalog), 0)
    assert.match(body.skipped[0]!.message, /paths through.*the operation POST \/items is left out$/)
    const answer = of({ responses: { 200: { content: hostile } } })
    assert.isUndefined(toolsOf(answer.catalog)[0]!.result)
    assert.match(answer.skipped[0]!.message, /paths through.*the answer is not checked$/)
  })

  it("of an answer is left out on request", () => {
    const document = documentOf(
      { parameters: [id], responses: { 200: { content } } },
      { components: { schemas } },
    )
    assert.isDefined(one(document).tool.result)
    assert.isUndefined(one(document, { untyped: true }).tool.result)
  })
})

describe("a document", () => {
  it("reports each of ten thousand parts that are left out, in linear time", () => {
    const paths = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, n) => [
        `/u${n}`,
        { get: { operationId: `up_${n}`, callbacks: { done: {} }, responses: {} } },
      ]),
    )
    assert.lengthOf(imported({ ...documentOf({}), paths }).skipped, 10_000)
  })

  it("is imported the same twice, and in part by tag, id or name", () => {
    const document = read(specs["petstore"]!)
    assert.deepStrictEqual(imported(document), imported(document))
    const names = (include: ReadonlyArray<string>) =>
      toolsOf(imported(document, { include }).catalog).map(({ name }) => name)
    assert.deepStrictEqual(names(["placeOrder", "get_pet_by_id"]), ["get_pet_by_id", "place_order"])
    assert.lengthOf(names(["store"]), 4)
  })

  it.each([
    [{ swagger: "2.0" }, "it has version 2.0: convert it to OpenAPI 3 first"],
    [{ openapi: "3.2.0" }, "it is not an OpenAPI document of version 3.0 or 3.1, but 3.2.0"],
    [{ title: "x" }, "it is not an OpenAPI document of version 3.0 or 3.1"],
  ])("%o is rejected", (document, message) => {
    assert.throws(() => imported(document), ImportRejected, message)
  })

  it.each([
    ["listPets", "list_pets"],
    ["users/get-by-username", "users_get_by_username"],
    ["GetHTTPStatus2XX", "get_http_status2_xx"],
    ["3dModels", "api_3d_models"],
    ["Café Münster", "cafe_munster"],
  ])("with the operation id %s has the tool %s", (given, name) => {
    assert.strictEqual(snakeName(given), name)
  })
})
