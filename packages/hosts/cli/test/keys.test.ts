/** API keys end to end: created, listed, used with their scopes, revoked while the server runs. */
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
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

it("keys that are made and revoked at the same time all exist, and none of the others", async () => {
  const own = join(cwd, "many")
  await mkdir(own)
  const command = (...args: ReadonlyArray<string>) =>
    planloom(["keys", ...args], { cwd: own, alone: true })
  const first = await Promise.all(["a", "b", "c", "d"].map((name) => command("create", name)))
  const made = await Promise.all([
    ...["e", "f", "g", "h"].map((name) => command("create", name)),
    ...["a", "b"].map((name) => command("revoke", name)),
  ])
  expect([...first, ...made].map(({ code, stderr }) => (code === 0 ? 0 : stderr))).toEqual(
    Array.from({ length: 10 }, () => 0),
  )
  const { stdout } = await command("list", "--json")
  const names = (JSON.parse(stdout) as ReadonlyArray<{ readonly name: string }>).map(
    (one) => one.name,
  )
  expect(names.toSorted()).toEqual(["c", "d", "e", "f", "g", "h"])
}, 120_000)

it("a file of keys that is damaged makes requests with a key 503, and is named in the log", async () => {
  const own = join(cwd, "damaged")
  await mkdir(join(own, ".planloom"), { recursive: true })
  const { stdout } = await planloom(["keys", "create", "job"], { cwd: own })
  const one = await serve([], { cwd: own })
  try {
    await writeFile(join(own, ".planloom/keys.json"), "{ not json")
    const response = await fetch(`${one.url}/runs`, {
      headers: { authorization: `Bearer ${stdout.trim()}` },
    })
    expect(response.status).toBe(503)
    expect(response.headers.get("content-type")).toBe("application/problem+json")
  } finally {
    await one.stop("SIGKILL")
  }
})

it("a webhook is refused at the start with a secret that could be guessed, or that is no base64", async () => {
  const own = join(cwd, "hooked")
  await mkdir(join(own, "workflows"), { recursive: true })
  await writeFile(
    join(own, "workflows/w.yaml"),
    `apiVersion: planloom/v1
kind: Workflow
name: w
use: { plugins: ["@planloom/stages"] }
secrets: [HOOK, OLD_HOOK]
on: { webhook: { secret: [HOOK, OLD_HOOK] } }
stages: [{ id: one, uses: set, with: { value: 1 } }]
`,
  )
  for (const value of ["a", " ", "whsec_YQ==", "whsec_", "whsec_%%%%"]) {
    const { code, stderr } = await planloom(["serve", "--port", "0"], {
      cwd: own,
      env: { HOOK: value },
    })
    expect(code, value).toBe(1)
    expect(stderr).toMatch(/the variable HOOK signs the webhook of w and cannot be used/)
  }
  const off = await serve([], { cwd: own })
  await off.stop("SIGTERM")
  expect(off.stderr()).toMatch(/the webhook of w is off: the variable HOOK or OLD_HOOK is not set/)
  expect(off.stderr()).not.toContain("signed with")
  const on = await serve([], { cwd: own, env: { OLD_HOOK: "k".repeat(24) } })
  await on.stop("SIGTERM")
  expect(on.stderr()).toContain("signed with HOOK or OLD_HOOK")
}, 60_000)
