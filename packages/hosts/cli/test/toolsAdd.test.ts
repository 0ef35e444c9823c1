/** `planloom tools add openapi`, as a person types it: a document becomes a catalog that a workflow uses. */
import { createServer, type Server } from "node:http"
import { once } from "node:events"
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import type { AddressInfo } from "node:net"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { fixture, planloom, trusting } from "./planloom.ts"

let folder: string
let server: Server
let origin: string

const spec = (url: string, summary = "Gets a pet") => `openapi: 3.0.3
info: { title: Shop, version: "1" }
servers: [{ url: ${url} }]
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
security: [{ key: [] }]
paths:
  /pets/{id}:
    get:
      operationId: getPet
      tags: [pets]
      summary: ${summary}
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { "200": { content: { application/json: { schema: { type: object, properties: { name: { type: string } } } } } } }
  /photos:
    post:
      tags: [photos]
      requestBody:
        required: true
        content: { image/png: {} }
`

const command = (...args: ReadonlyArray<string>) =>
  planloom(args, { cwd: folder, env: { SHOP_KEY: "s3cret-shop-key" } })
const write = (name: string, text: string) => writeFile(join(folder, name), text)
const catalog = (name = "catalog/shop.yaml") => readFile(join(folder, name), "utf8")

beforeAll(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  folder = await mkdtemp(join(fixture, ".planloom", "add-"))
  // Its catalog sends the key to a server of its own.
  await trusting(folder)
  server = createServer((request, response) => {
    if (request.url === "/openapi.yaml") return void response.end(spec("/v1"))
    if (request.headers["x-key"] !== "s3cret-shop-key") return void response.writeHead(401).end()
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ name: `pet ${request.url} ${request.headers["x-key"]}` }))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

it("a document becomes a catalog, with each part that is left out at its line", async () => {
  await write("shop.yaml", spec("https://shop.example.com"))
  const { code, stderr } = await command("tools", "add", "openapi", "shop.yaml")
  expect(code).toBe(0)
  expect(stderr).toContain(
    "shop.yaml:19:9 a body of the type image/png is not supported; the operation POST /photos is left out\n",
  )
  expect(stderr).toContain("wrote catalog/shop.yaml: 1 of 2 operations\n")
  expect(stderr).toContain('hosts: ["shop.example.com"]')
  expect(stderr).toContain("secrets: [SHOP_KEY]")
  await write("local.yaml", spec("http://localhost:9000"))
  const local = await command("tools", "add", "openapi", "local.yaml")
  expect(local.stderr).toContain(
    'planloom.yaml  plugins: { "@planloom/tools-http": { hosts: ["http://localhost:9000"], private: ["127.0.0.1", "::1"] } }',
  )
  const checked = await command("check", "catalog/shop.yaml")
  expect(checked, checked.stderr).toMatchObject({ code: 0 })
  expect((await command("fmt", "--check", "catalog/shop.yaml")).code).toBe(0)
})

it("a catalog that is imported again is up to date, or shows what has changed", async () => {
  const before = await catalog()
  const again = await command("tools", "add", "openapi", "shop.yaml")
  expect(again.stderr).toContain("catalog/shop.yaml is up to date: 1 of 2 operations")
  expect(again.stdout).toBe("")
  expect(await catalog()).toBe(before)
  await write("shop.yaml", spec("https://shop.example.com", "Finds a pet"))
  const changed = await command("tools", "add", "openapi", "shop.yaml")
  expect(changed.stdout).toContain("-     summary: Gets a pet\n+     summary: Finds a pet\n")
  expect(changed.stderr).toContain("updated catalog/shop.yaml: 1 of 2 operations")
  expect(await catalog()).toContain("summary: Finds a pet")
})

it("flags name the catalog, the service, the operations and the file", async () => {
  const flags = [
    "--name",
    "zoo",
    "--base-url",
    origin,
    "--include",
    "pets",
    "--untyped",
    "--out",
    "zoo/tools.yaml",
  ]
  const { code, stderr } = await command("tools", "add", "openapi", "shop.yaml", ...flags)
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(stderr).toContain("wrote zoo/tools.yaml: 1 of 1 operation\n")
  const text = await catalog("zoo/tools.yaml")
  expect(text).toContain("name: zoo")
  expect(text).toContain(`url: ${origin}/pets/{id}`)
  expect(text).toContain("secret: ZOO_KEY")
  expect(text).not.toContain("result:")
  const none = await command("tools", "add", "openapi", "shop.yaml", "--include", "cats")
  expect(none).toMatchObject({ code: 1 })
  expect(none.stderr).toContain("shop.yaml has no operation of cats")
})

it("a workflow uses an imported catalog at once", async () => {
  const named = await command(
    "tools",
    "add",
    "openapi",
    `${origin}/openapi.yaml`,
    "--name",
    "shop_api",
  )
  expect(named, named.stderr).toMatchObject({ code: 0 })
  await write(
    "planloom.yaml",
    `apiVersion: planloom/v1\nkind: Project\nplugins: { "@planloom/tools-http": { hosts: ["${origin}"], private: [127.0.0.1] } }\n`,
  )
  await write(
    "pet.yaml",
    `apiVersion: planloom/v1
kind: Workflow
name: pet
use: { plugins: ["@planloom/stages", "@planloom/tools-http"], files: [catalog/shop_api.yaml] }
secrets: [SHOP_API_KEY]
stages: [{ id: pet, uses: call, with: { tool: get_pet, params: { id: 7 } } }]
outputs: { name: { type: string, value: "\${{ stages.pet.output.name }}" } }
`,
  )
  const run = await planloom(["run", "pet.yaml", "--record", "recorded"], {
    cwd: folder,
    env: { SHOP_API_KEY: "s3cret-shop-key" },
  })
  expect(run, run.stderr).toMatchObject({ code: 0 })
  expect(run.stdout).toContain("pet /v1/pets/7 [secret]")
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = await Promise.all(
    files
      .filter((one) => one.isFile())
      .map((one) => readFile(join(one.parentPath, one.name), "latin1")),
  )
  expect(texts.some((text) => text.includes("/v1/pets/7"))).toBe(true)
  expect(texts.filter((text) => text.includes("s3cret-shop-key"))).toEqual([])
  const listed = await command("tools", "list", "pet.yaml")
  expect(listed.stdout).toMatch(/get_pet +Gets a pet/)
})

it("the how-to on HTTP APIs has files that check and pass their test", async () => {
  const page = await readFile(join(import.meta.dirname, "../../../../docs/http.md"), "utf8")
  const cwd = join(folder, "howto")
  for (const [, name = "", text = ""] of page.matchAll(/^```yaml\n# (\S+)\n([^]*?)^```$/gm)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true })
    await writeFile(join(cwd, name), text)
  }
  const checked = await planloom(["check"], { cwd })
  expect(checked, checked.stderr).toMatchObject({ code: 0 })
  const tested = await planloom(["test"], { cwd })
  expect(tested, tested.stdout).toMatchObject({ code: 0 })
  expect(tested.stdout).toContain("1 passed, 0 failed")
})

it("a file that was not imported is not overwritten, and a document of another kind is rejected", async () => {
  await write("catalog/own.yaml", "apiVersion: planloom/v1\nkind: Catalog\ntools: []\n")
  const kept = await command("tools", "add", "openapi", "shop.yaml", "--name", "own")
  expect(kept).toMatchObject({ code: 1 })
  expect(kept.stderr).toContain("catalog/own.yaml exists and was not written by an import")
  await write("old.json", '{ "swagger": "2.0" }')
  const old = await command("tools", "add", "openapi", "old.json")
  expect(old).toMatchObject({ code: 1 })
  expect(old.stderr).toContain("old.json:1:1 it has version 2.0: convert it to OpenAPI 3 first")
  const gone = await command("tools", "add", "openapi", "gone.yaml")
  expect(gone.stderr).toContain("gone.yaml cannot be read")
})
