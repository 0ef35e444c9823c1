/** API keys end to end: created, listed, used with their scopes, revoked while the server runs. */
import { mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { fixture, planloom, serve, type Server } from "./planloom.ts"

let cwd: string
let server: Server | undefined

beforeAll(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  cwd = await mkdtemp(join(fixture, ".planloom", "keys-"))
})

afterAll(async () => {
  await server?.stop("SIGKILL")
  await rm(cwd, { recursive: true, force: true })
})

const keys = (...args: ReadonlyArray<string>) => planloom(["keys", ...args], { cwd })

it("an address of other machines is served with a key alone, which is rejected once revoked", async () => {
  const without = await planloom(["serve", "--host", "0.0.0.0", "--port", "0"], { cwd })
  expect(without).toMatchObject({ code: 2 })
  expect(without.stderr).toContain("planloom keys create")
  expect(await keys("list")).toMatchObject({ code: 0, stdout: "" })

  const wrong = await keys("create", "job", "--scope", "runs:raed")
  expect(wrong).toMatchObject({ code: 2, stdout: "" })
  expect(wrong.stderr).toContain('unknown scope "runs:raed"')
  const created = await keys("create", "job", "--expires", "90d")
  expect(created.code).toBe(0)
  const key = created.stdout.trim()
  expect(key).toMatch(/^plk_[\da-f]{12}_[\w-]{43}$/)
  const path = join(cwd, ".planloom/keys.json")
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readFile(path, "utf8")).not.toContain(key.slice(18))
  const { stdout } = await keys("list", "--json")
  expect(JSON.parse(stdout)).toMatchObject([{ name: "job", scopes: ["runs:read"] }])
  expect(stdout + (await keys("list")).stdout).not.toContain("hash")

  server = await serve(["--host", "0.0.0.0", "--rate", "8"], { cwd })
  const { port } = new URL(server.url)
  const ask = async (method: string, route: string, bearer?: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${route}`, {
      method,
      headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
    })
    await response.arrayBuffer()
    return response.status
  }
  expect(await ask("GET", "/runs")).toBe(401)
  expect(await ask("GET", "/runs", key)).toBe(200)
  expect(await ask("GET", "/workflows", key)).toBe(403)
  const admin = (await keys("create", "ops", "--scope", "admin")).stdout.trim()
  expect(await ask("GET", "/workflows", admin)).toBe(200)

  expect(await keys("revoke", "other")).toMatchObject({ code: 1 })
  expect((await keys("revoke", "job")).stderr).toContain("revoked the key")
  expect(await ask("GET", "/runs", key)).toBe(401)
  expect(await ask("GET", "/runs", admin)).toBe(200)
  let status = 200
  for (let sent = 0; sent < 8 && status === 200; sent++) status = await ask("GET", "/runs", admin)
  expect(status).toBe(429)
  expect(await ask("GET", "/health")).toBe(200)
})
