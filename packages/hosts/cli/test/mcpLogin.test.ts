/** `planloom mcp login` and `logout` end to end: the command, an authorization server and a browser of the test. */
import { spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { guardedServer, type Guarded } from "../../../components/mcp/test/authServer.ts"
import { newHandler } from "../../../components/mcp/test/newServer.ts"
import { rememberTrust } from "../src/trust/trustedFolders.ts"
import { childEnvironment, planloom, type Outcome } from "./planloom.ts"

let guarded: Guarded
let home: string
let cwd: string

/** Repeats the token that it is sent, in its list and in its results. */
const repeating = async (request: Request): Promise<Response> => {
  const token = request.headers.get("authorization")?.slice("Bearer ".length) ?? ""
  const answer = await tools(request)
  const text = (await answer.text())
    .replaceAll('"Adds two numbers."', `"Adds two numbers. ${token}"`)
    .replaceAll('{"sum":5}', `{"sum":5,"said":"${token}","${token}":1}`)
    .replaceAll('"text":"sum"', `"text":"${token}"`)
  return new Response(text, { status: answer.status, headers: answer.headers })
}
const tools = newHandler("stateless").fetch

beforeAll(async () => {
  guarded = await guardedServer(repeating)
  home = await realpath(await mkdtemp(join(tmpdir(), "planloom-login-")))
  cwd = join(home, "own")
  await projectIn(cwd)
  await rememberTrust(cwd, join(home, "state"))
})

/** A project that declares the guarded server. */
const projectIn = async (folder: string) => {
  await mkdir(join(folder, "workflows"), { recursive: true })
  await writeFile(
    join(folder, "workflows/sum.yaml"),
    `apiVersion: planloom/v1
kind: Workflow
name: sum
use: { plugins: ["@planloom/stages", "@planloom/mcp"] }
mcp:
  tickets: { url: "${guarded.url}" }
  program: { command: node, args: ["-e", "0"] }
stages: [{ id: sum, uses: call, with: { tool: tickets.add, params: { a: 2, b: 3 } } }]
outputs: { sum: { value: "\${{ stages.sum.output }}" } }
`,
  )
  await writeFile(join(folder, "planloom.yaml"), "apiVersion: planloom/v1\nkind: Project\n")
}

afterAll(async () => {
  await guarded.close()
  await rm(home, { recursive: true, force: true })
})

const filesIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith("tokens"))
    .map(({ name, parentPath }) => readFileSync(join(parentPath, name), "latin1"))
    .join("\n")

const environment = () => ({ PLANLOOM_STATE_DIR: join(home, "state") })
const command = (args: ReadonlyArray<string>) => planloom(args, { cwd, env: environment() })

/** Waits for the browser. `onAddress` gets the address that the command prints, and the command. */
const login = (
  args: ReadonlyArray<string>,
  onAddress: (url: string, child: ReturnType<typeof spawn>) => unknown = () => {},
): Promise<Outcome> =>
  new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [inject("commandBin"), "mcp", "login", "tickets", "--no-browser", ...args],
      { cwd, env: { ...childEnvironment, ...environment() } },
    )
    let stdout = ""
    let stderr = ""
    let isShown = false
    child.stdout.on("data", (data: Buffer) => (stdout += data.toString()))
    child.stderr.on("data", (data: Buffer) => {
      stderr += data.toString()
      const address = /^ +(http\S+)\n/m.exec(stderr)?.[1]
      if (address !== undefined && !isShown) {
        isShown = true
        void onAddress(address, child)
      }
    })
    child.on("close", (code) => resolve({ code, stdout, stderr }))
  })

describe("planloom mcp login", () => {
  it("logs in, so that a run has the tools, and logs out", async () => {
    const before = await command(["run", "sum"])
    expect(before.code).toBe(3)
    expect(before.stderr).toContain(
      'the server "tickets" needs a login: planloom mcp login tickets',
    )
    const { code, stderr, stdout } = await login([], (url) => guarded.browse(url))
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `logged in to "tickets" at ${guarded.issuer}, with the rights tools:read\n`,
    })
    for (const secret of guarded.given) expect(stderr).not.toContain(secret)
    const run = await command(["run", "sum", "--record", "cassette"])
    expect(run.code).toBe(0)
    // Shown, recorded and kept between runs: all but the tokens themselves.
    const written = run.stdout + run.stderr + filesIn(home)
    expect(written).toContain("[secret]")
    for (const secret of guarded.given) expect(written).not.toContain(secret)
    const out = await command(["mcp", "logout", "tickets"])
    expect({ ...out, stderr: "" }).toEqual({
      code: 0,
      stdout: 'logged out of "tickets"\n',
      stderr: "",
    })
    expect((await command(["run", "sum"])).code).toBe(3)
  })

  it("is renewed once by two commands at the same time", async () => {
    guarded.faults.current = { lasts: 1 }
    expect((await login([], (url) => guarded.browse(url))).code).toBe(0)
    guarded.faults.current = {}
    const run = () => planloom(["run", "sum"], { cwd, env: environment(), alone: true })
    const ended = await Promise.all([run(), run()])
    expect(ended.map(({ code }) => code)).toEqual([0, 0])
    const renewals = guarded.asked.filter(({ form }) => form.get("grant_type") === "refresh_token")
    expect(renewals).toHaveLength(1)
  })

  it("reports the reason against a login: refused, too late, interrupted", async () => {
    guarded.faults.current = {
      redirected: { code: undefined, error: "access_denied", error_description: "ask Ada" },
    }
    const refused = await login([], (url) => guarded.browse(url))
    guarded.faults.current = {}
    expect(refused.code).toBe(3)
    expect(refused.stderr).toContain(
      `no login at "tickets": ${guarded.issuer} refused: access_denied: ask Ada`,
    )
    const late = await login(["--timeout", "1500ms"])
    expect(late.code).toBe(3)
    expect(late.stderr).toContain('no login at "tickets" within 1500ms')
    const stopped = await login([], (_, child) => child.kill("SIGINT"))
    expect(stopped.code).toBe(130)
  })

  it("refuses a program, a name that no workflow declares, and an invalid time", async () => {
    const program = await command(["mcp", "login", "program"])
    expect(program.code).toBe(3)
    expect(program.stderr).toContain("is a program that planloom starts: it has no login")
    const unknown = await command(["mcp", "login", "ticket"])
    expect(unknown.code).toBe(1)
    expect(unknown.stderr).toMatch(/no server "ticket" is declared[^]*did you mean "tickets"\?/)
    expect((await command(["mcp", "login", "tickets", "--timeout", "soon"])).code).toBe(2)
  })

  it("takes the server of a workflow or a file by --from", async () => {
    const servers = join(cwd, "servers.yaml")
    await writeFile(
      servers,
      `apiVersion: planloom/v1\nkind: McpServers\nservers: { filed: { url: "${guarded.url}" } }\n`,
    )
    const out = (args: ReadonlyArray<string>) => command(["mcp", "logout", ...args])
    expect(await out(["tickets", "--from", "sum"])).toMatchObject({ code: 0 })
    expect(await out(["filed", "--from", servers])).toMatchObject({
      code: 0,
      stdout: 'there was no login at "filed"\n',
    })
    expect((await out(["tickets", "--from", servers])).stderr).toContain(
      'no server "tickets" is declared',
    )
  })
})

describe("a folder of a stranger that names the same server", () => {
  it("gets neither a login nor the list of one, unless the command trusts it", async () => {
    expect((await login([], (url) => guarded.browse(url))).code).toBe(0)
    expect((await command(["run", "sum"])).code).toBe(0)
    const clone = join(home, "clone")
    await projectIn(clone)
    const there = (args: ReadonlyArray<string>) =>
      planloom(args, { cwd: clone, env: environment() })
    const refused = await there(["run", "sum", "--no-store"])
    expect(refused.code).toBe(3)
    expect(refused.stderr).toMatch(
      /the server "tickets" wants a login, and none is used: workflows\/sum\.yaml is a file of the folder \S+clone, which is not trusted; review it: --trust lets it speak for you/,
    )
    expect(refused.stderr).toContain(
      'workflows/sum.yaml lets the server "tickets" act with your login at ' +
        `${guarded.url}, which does not count: workflows/sum.yaml is a file of the folder`,
    )
    expect((await there(["mcp", "tools", "tickets"])).stdout).not.toContain("tickets.add")
    const stranger = await there(["mcp", "login", "tickets"])
    expect(stranger.code).toBe(1)
    expect(stranger.stderr).toContain('no login at "tickets": workflows/sum.yaml is a file')
    expect((await there(["run", "sum", "--no-store", "--trust"])).code).toBe(0)
    expect((await there(["run", "sum", "--no-store", "--no-plugins"])).stderr).toContain(
      "--no-plugins lets no file speak for you",
    )
  })
})
