/** `planloom serve` end to end: it resumes runs, survives kills, and serves the HTTP API. */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { request as httpRequest } from "node:http"
import { join } from "node:path"
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { fixture, lines, planloom, serve, trusting, type Options, type Server } from "./planloom.ts"

const folders: Array<string> = []
const servers: Array<Server> = []
let cwd: string

const steps = `apiVersion: planloom/v1
kind: Workflow
name: steps
use: { plugins: [../plugin.ts] }
inputs: { ms: { type: integer, default: 1200 } }
stages:
  - { id: first, uses: wait, with: { ms: "\${{ inputs.ms }}" } }
  - { id: second, uses: wait, with: { ms: 300 } }
outputs: { done: { value: "\${{ stages.second.output.waited }}" } }
`

const deadly = `apiVersion: planloom/v1
kind: Workflow
name: deadly
use: { plugins: [../deadly.ts] }
stages:
  - { id: before, uses: die, with: { wait: false } }
  - { id: poison, uses: die, with: { wait: true } }
outputs: { said: { value: "\${{ stages.poison.output }}" } }
`

/** Takes its process with it, until there is a file that says that it was mended. */
const deadlyPlugin = `import { existsSync } from "node:fs"
import { definePlugin, stageKind } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"

const die = stageKind({
  id: "die",
  summary: "Ends the process.",
  input: { type: "object", properties: { wait: { type: "boolean" } }, required: ["wait"] },
  output: { type: "string" },
  run: ({ wait }) =>
    wait && !existsSync("mended")
      ? Effect.delay(Effect.sync(() => process.exit(3)), 700)
      : Effect.succeed("alive"),
})

export default definePlugin({ id: "deadly", summary: "Deadly.", components: { stages: [die] } })
`

const secretive = `apiVersion: planloom/v1
kind: Workflow
name: secretive
use: { plugins: [../plugin.ts] }
inputs: { email: { type: string, personal: true } }
stages:
  - { id: door, uses: use, with: { tool: lock_door, params: { door: front } } }
  - { id: mail, uses: give, with: { value: "\${{ inputs.email }}" } }
outputs: { length: { value: "\${{ size(inputs.email) }}" } }
`

const watched = (said: string) => `apiVersion: planloom/v1
kind: Workflow
name: watched
use: { plugins: ["@planloom/stages", "@planloom/hooks"], files: [../hooks/house.yaml] }
stages:
  - { id: ask, uses: approve, with: { message: Continue? } }
  - { id: say, uses: set, needs: [ask], with: { value: ${said} } }
outputs: { said: { value: "\${{ stages.say.output }}" } }
`

const hookSet = `apiVersion: planloom/v1
kind: HookSet
name: house
hooks: []
`

beforeEach(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  cwd = await mkdtemp(join(fixture, ".planloom", "serve-"))
  await trusting(cwd)
  folders.push(cwd)
  await cp(join(fixture, "plugin.ts"), join(cwd, "plugin.ts"))
  await mkdir(join(cwd, "workflows"))
  await cp(join(fixture, "workflows/ends.yaml"), join(cwd, "workflows/ends.yaml"))
  await writeFile(join(cwd, "workflows/steps.yaml"), steps)
  await writeFile(join(cwd, "workflows/secretive.yaml"), secretive)
  await writeFile(join(cwd, "deadly.ts"), deadlyPlugin)
  await writeFile(join(cwd, "workflows/deadly.yaml"), deadly)
})

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop("SIGKILL")
})

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

const started = async (args: ReadonlyArray<string> = [], options: Options = {}) => {
  const server = await serve(args, { cwd, ...options })
  servers.push(server)
  return server
}

interface Reply {
  readonly status: number
  readonly body: any
}

const get = async ({ url }: Server, path: string, headers = {}): Promise<Reply> => {
  const response = await fetch(url + path, { headers })
  return { status: response.status, body: await response.json() }
}

const post = async (
  { url }: Server,
  path: string,
  body: unknown,
  headers: { readonly [name: string]: string } = {},
): Promise<Reply> => {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

/** Looks at a run until it is as wanted. */
const until = async (server: Server, run: string, wanted: (record: any) => boolean) => {
  const deadline = Date.now() + 15_000
  while (true) {
    const { body } = await get(server, `/runs/${run}`)
    if (wanted(body)) return body
    if (Date.now() > deadline) throw new Error(`${JSON.stringify(body)}\n${server.stderr()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const is = (status: string) => (record: any) => record.status === status

const begin = (server: Server, workflow: string, run: string, inputs = {}) =>
  post(server, `/workflows/${workflow}/runs`, { inputs }, { "idempotency-key": run })

/** Where the run's open question is answered. */
const doorOf = async (server: Server, run: string): Promise<string> => {
  const { body } = await get(server, `/waits?run=${run}`)
  return `/answers/${body[0].wait.name}`
}

describe("planloom serve", () => {
  it("starts a run, suspends it for a question, and resumes it after the answer", async () => {
    const server = await started(["--log"])
    expect(await get(server, "/health")).toEqual({
      status: 200,
      body: { status: "ok", active_runs: 0 },
    })
    const begun = await begin(server, "ends", "order-1", { how: "approve" })
    expect(begun).toMatchObject({ status: 202, body: { run: "order-1", status: "running" } })
    expect((await begin(server, "ends", "order-1", { how: "approve" })).status).toBe(200)
    expect((await begin(server, "ends", "order-1", { how: "well" })).status).toBe(409)
    await until(server, "order-1", is("suspended"))
    const { body: queue } = await get(server, "/waits")
    expect(queue).toMatchObject([
      {
        run: "order-1",
        wait: {
          kind: "approval",
          path: "door",
          fields: [{ name: "door", label: "door", value: "front" }],
        },
      },
    ])
    const door = await doorOf(server, "order-1")

    const answer = (value: unknown, more = {}, run = "order-1") =>
      post(server, `/runs/${run}${door}`, { value, ...more })
    expect(await answer({ approved: "perhaps" })).toMatchObject({
      status: 422,
      body: { issues: [{ path: "/approved", message: "must be boolean" }] },
    })
    expect((await answer({ approved: true }, {}, "nobody")).status).toBe(404)
    const other = await post(server, "/runs/order-1/answers/window", { value: 1 })
    expect(other.status).toBe(404)
    expect((await answer({ approved: true }, { by: "ann" })).status).toBe(200)
    const ended = await until(server, "order-1", is("succeeded"))
    expect(ended.result.outputs).toEqual({ how: "approve" })
    // One that has ended is asked nothing any more.
    expect((await answer({ approved: true })).status).toBe(409)
    expect(server.stderr()).toMatch(/order-1 {2}ends {2}succeeded/)

    const invalid = await begin(server, "ends", "order-2", { how: "badly", when: 1 })
    expect(invalid.status).toBe(422)
    expect(invalid.body.issues.map(({ path }: { path: string }) => path)).toEqual([
      "/inputs/how",
      "/inputs",
    ])
    expect((await begin(server, "none", "order-2")).status).toBe(404)
    const { body: listed } = await get(server, "/runs?status=succeeded&workflow=ends")
    expect(listed.map(({ run }: { run: string }) => run)).toEqual(["order-1"])
    expect((await get(server, "/runs?state=ended")).status).toBe(422)
  })

  it("resumes runs that other processes answered, killed or recorded", async () => {
    const server = await started(["--every", "300ms"])
    const asked = await planloom(["run", "ends", "-i", "how=approve", "--json"], { cwd })
    const run = String((lines(asked).at(-1) as { run?: string }).run)
    await planloom(["runs", "answer", run, "--yes", "--no-resume"], { cwd })
    await until(server, run, is("succeeded"))
    const killed = await planloom(["run", "steps", "--json"], {
      cwd,
      interruptAt: /"Progressed"/,
      signal: "SIGKILL",
    })
    const [first] = lines(killed) as ReadonlyArray<{ run?: string }>
    expect((await until(server, first!.run!, is("succeeded"))).epoch).toBe(2)
  })

  it("is replaced after kill -9 by another server, which does not repeat recorded steps", async () => {
    const server = await started()
    await begin(server, "steps", "long")
    await until(server, "long", ({ result }) => result?.stages.second?.outcome === "running")
    await server.stop("SIGKILL")
    const next = await started(["--every", "300ms"])
    await until(next, "long", is("succeeded"))
    const { body: events } = await get(next, "/runs/long/events")
    const finished = events.filter(({ type }: { type: string }) => type === "StageFinished")
    expect(finished.map(({ path }: { path: string }) => path)).toEqual(["first", "second"])
    expect(events.map(({ seq }: { seq: number }) => seq)).toEqual(
      events.map((_: unknown, i: number) => i),
    )
  })

  it("fails a run that repeatedly kills it, and completes another run that ran beside it", async () => {
    const args = ["--every", "100ms", "--attempts", "3", "--log"]
    let server = await started(args)
    await begin(server, "steps", "healthy", { ms: 3000 })
    expect((await begin(server, "deadly", "poisoned")).status).toBe(202)
    let deaths = 0
    while (true) {
      const failed = until(server, "poisoned", is("failed")).then(
        () => true,
        () => false,
      )
      if (await Promise.race([failed, server.ended.then(() => false)])) break
      expect(await server.ended, server.stderr()).toBe(3)
      expect(++deaths).toBeLessThan(8)
      server = await started(args)
    }
    expect(deaths).toBe(3)
    await until(server, "healthy", is("succeeded"))
    const { body } = await get(server, "/runs/poisoned")
    expect(body.result.failure).toMatchObject({ class: "internal" })
    expect(body.result.failure.message).toMatch(
      /^claimed 3 times without recording a step since "before": stage "poison" \(\.\.\/deadly\.ts\/die\) of workflow "deadly" ended the process with exit code 3; .*planloom runs reset poisoned$/,
    )
    expect(server.stderr()).toMatch(/poisoned {2}deadly {2}failed: claimed 3 times/)
    await writeFile(join(cwd, "mended"), "")
    const again = await planloom(["runs", "reset", "poisoned"], { cwd })
    expect(again.code, again.stderr).toBe(0)
    await until(server, "poisoned", is("succeeded"))
    const { stdout } = await planloom(["runs", "events", "poisoned"], { cwd })
    expect(stdout.match(/"StageFinished"[^\n]*"before"/g)).toHaveLength(1)
  }, 60_000)

  it("runs the turns of a session one after the other", async () => {
    await cp(join(fixture, "workflows/talk.yaml"), join(cwd, "workflows/talk.yaml"))
    const server = await started()
    const say = (run: string, message: string, more: object = { session: "ann" }) =>
      post(
        server,
        "/workflows/talk/runs",
        { inputs: { message }, ...more },
        { "idempotency-key": run },
      )
    expect(await say("one", "hi")).toMatchObject({ status: 202, body: { session: "ann" } })
    await until(server, "one", is("succeeded"))
    await say("two", "ho")
    const { result } = await until(server, "two", is("succeeded"))
    expect(result.outputs.reply).toBe("plain reply 2 to ho")
    await say("three", "where")
    await until(server, "three", is("clarification"))
    expect(await say("four", "hello?")).toMatchObject({
      status: 409,
      body: { type: "urn:planloom:problem:session_waits", session: "ann", run: "three" },
    })
    expect((await say("three", "where")).status).toBe(200)
    expect((await say("three", "where", { session: "bob" })).status).toBe(409)
    expect((await say("four", "hello?", { session: "bob" })).status).toBe(202)
    const { body: turns } = await get(server, "/runs?session=ann")
    expect(turns.map(({ run }: { run: string }) => run)).toEqual(["three", "two", "one"])
    const none = await post(server, "/workflows/steps/runs", { session: "ann" })
    expect(none).toMatchObject({ status: 422, body: { issues: [{ path: "/session" }] } })
    expect((await say("five", "hi", { session: "" })).status).toBe(422)
  })

  it("prunes runs by the project's keep policy", async () => {
    for (let count = 0; count < 3; count++) {
      await planloom(["run", "ends", "-i", "how=well"], { cwd })
    }
    await writeFile(
      join(cwd, "planloom.yaml"),
      "apiVersion: planloom/v1\nkind: Project\nruns: { keep: { count: 1 } }\n",
    )
    const server = await started()
    await vi.waitFor(async () => expect((await get(server, "/runs")).body).toHaveLength(1), {
      timeout: 25_000,
    })
  })

  it("finishes the current step at SIGTERM, and leaves the run to the next server", async () => {
    const server = await started()
    await begin(server, "steps", "long")
    await until(server, "long", ({ result }) => result?.stages.first?.outcome === "running")
    expect(await server.stop("SIGTERM"), server.stderr()).toBe(0)
    const [record] = JSON.parse((await planloom(["runs", "list", "--json"], { cwd })).stdout)
    expect(record).toMatchObject({ run: "long", status: "running", active: false })
    const { stdout } = await planloom(["runs", "events", "long"], { cwd })
    expect(stdout).toMatch(/"StageFinished"[^\n]*"first"/)
    // It was next, and was not started.
    expect(stdout).not.toMatch(/"Progressed","path":"second"|RunCancelled/)
    const next = await started()
    await until(next, "long", is("succeeded"))
  })

  it("cancels a running run and a waiting one", async () => {
    const server = await started()
    await begin(server, "steps", "long", { ms: 60_000 })
    await begin(server, "ends", "asking", { how: "approve" })
    await until(server, "long", ({ result }) => result?.stages.first?.outcome === "running")
    const asked = await post(server, "/runs/long/cancel", { mode: "now", reason: "not wanted" })
    expect(asked.status).toBe(202)
    const ended = await until(server, "long", is("cancelled"))
    expect(ended.result.failure.message).toBe("not wanted")
    await until(server, "asking", is("suspended"))
    expect(await post(server, "/runs/asking/cancel", {})).toMatchObject({
      status: 200,
      body: { status: "cancelled" },
    })
    expect((await post(server, "/runs/asking/cancel", {})).status).toBe(409)
  })

  it("streams events to the end of a run, and continues after a client reconnects", async () => {
    const server = await started()
    await begin(server, "steps", "long", { ms: 600 })
    const first = await streamed(server, "long", undefined, 3)
    expect(first.map(({ id }) => id)).toEqual([0, 1, 2])
    const rest = await streamed(server, "long", 2)
    const ids = rest.flatMap(({ id }) => (id === undefined ? [] : [id]))
    expect(ids).toEqual(ids.map((_, index) => index + 3))
    expect(rest.at(-1)).toMatchObject({ event: "end", data: { status: "succeeded" } })
    const again = await fetch(`${server.url}/runs/long/events`, {
      headers: { accept: "text/event-stream", "last-event-id": String(ids.at(-1)) },
    })
    expect(again.status).toBe(204)
    const { body } = await get(server, "/runs/long/events?from=3")
    expect(body.map(({ seq }: { seq: number }) => seq)).toEqual(ids)
  })

  it("shares a store with another server, and no run is executed twice", async () => {
    const both = await Promise.all([
      started(["--concurrency", "3", "--every", "100ms"]),
      started(["--concurrency", "3", "--every", "100ms"]),
    ])
    const names = Array.from({ length: 16 }, (_, index) => `run-${index}`)
    await Promise.all(names.map((run, index) => begin(both[index % 2]!, "steps", run, { ms: 50 })))
    for (const run of names) {
      const { epoch } = await until(both[0], run, is("succeeded"))
      // 1 if its server started it at once, 2 if it waited and was claimed.
      expect(epoch).toBeLessThanOrEqual(2)
      const { body: events } = await get(both[1], `/runs/${run}/events`)
      const begun = events.filter(({ type }: { type: string }) => type === "StageStarted")
      expect(begun.length).toBe(2)
    }
  })

  it("keeps personal inputs only in memory, and waits for them if they are missing", async () => {
    const server = await started()
    await begin(server, "secretive", "a", { email: "ann@example.org" })
    await begin(server, "secretive", "b", { email: "bob@example.org" })
    await until(server, "a", is("suspended"))
    await until(server, "b", is("suspended"))
    await post(server, `/runs/a${await doorOf(server, "a")}`, { value: { approved: true } })
    expect((await until(server, "a", is("succeeded"))).result.outputs).toEqual({ length: 15 })
    await server.stop("SIGTERM")
    const stored = await readFile(join(cwd, ".planloom/runs.db"), "latin1")
    expect(stored).toContain("[personal:email]")
    expect(stored).not.toContain("example.org")
    const next = await started()
    await post(next, `/runs/b${await doorOf(next, "b")}`, { value: { approved: true } })
    while (!next.stderr().includes("planloom runs resume b --input")) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect((await get(next, "/runs/b")).body).toMatchObject({
      status: "suspended",
      waits: [],
      needs: ["email"],
    })
    const { stdout } = await planloom(["runs", "show", "b"], { cwd })
    expect(stdout).toContain("planloom runs resume b --input email=…")
    const inputs = { email: "bob@example.org" }
    expect((await post(next, "/runs/b/resume", { inputs })).status).toBe(202)
    await until(next, "b", is("succeeded"))
  })

  it("loads changed files for new runs with --watch, and keeps the previous text on errors", async () => {
    const file = join(cwd, "workflows/watched.yaml")
    const house = join(cwd, "hooks/house.yaml")
    await mkdir(join(cwd, "hooks"))
    await writeFile(file, watched("old"))
    await writeFile(house, hookSet)
    const server = await started(["watched", "--watch"])
    const runs = async (run: string, meanwhile = async () => {}) => {
      expect((await begin(server, "watched", run)).status).toBe(202)
      const { waits } = await until(server, run, is("suspended"))
      await meanwhile()
      const name = encodeURIComponent(waits[0].name)
      await post(server, `/runs/${run}/answers/${name}`, { value: { approved: true } })
      return (await until(server, run, is("succeeded"))).result.outputs.said
    }
    const changed = async () => {
      await writeFile(file, watched("new"))
      await vi.waitFor(() => expect(server.stderr()).toContain("was loaded again"), 15_000)
    }
    expect(await runs("before", changed)).toBe("old")
    expect(await runs("after")).toBe("new")

    await writeFile(house, `${hookSet}hokks: []\n`)
    const place = /hooks\/house\.yaml:5:1 error/g
    await vi.waitFor(() => expect(server.stderr()).toMatch(place), 15_000)
    // The next reading, of a folder that changed, finds the same.
    await writeFile(join(cwd, "hooks/other.yaml"), "")
    await writeFile(file, watched("newest"))
    expect(await runs("broken")).toBe("new")
    await writeFile(house, hookSet)
    const reloads = () => server.stderr().split("was loaded again").length - 1
    await vi.waitFor(() => expect(reloads()).toBe(2), 15_000)
    expect(await runs("repaired")).toBe("newest")
    expect(server.stderr().match(place)).toHaveLength(1)
  }, 60_000)

  it("reports why it cannot start", async () => {
    const server = await started()
    const { port } = new URL(server.url)
    const second = await planloom(["serve", "--port", port], { cwd })
    expect(second).toMatchObject({ code: 1, stdout: "" })
    expect(second.stderr).toContain(`port ${port} of 127.0.0.1 is in use`)
    const open = await planloom(["serve", "--host", "0.0.0.0"], { cwd })
    expect(open.code).toBe(2)
    expect(open.stderr).toContain("the server needs a token")
    const short = await planloom(["serve"], { cwd, env: { PLANLOOM_TOKEN: "short" } })
    expect(short.code).toBe(2)
    await writeFile(join(cwd, "workflows/broken.yaml"), "kind: Workflow\n")
    const broken = await planloom(["serve", "broken", "--port", "0"], { cwd })
    expect(broken.code).toBe(1)
    expect(broken.stderr).toContain("broken.yaml has problems")
  })

  it("rejects requests without its token, and with another host name", async () => {
    const token = "a-long-enough-token"
    const server = await started([], { env: { PLANLOOM_TOKEN: token } })
    expect((await get(server, "/runs")).status).toBe(401)
    expect((await get(server, "/runs", { authorization: "Bearer wrong" })).status).toBe(401)
    expect((await get(server, "/runs", { authorization: `Bearer ${token}` })).status).toBe(200)
    expect((await get(server, "/health")).status).toBe(200)
    const { port } = new URL(server.url)
    const rebound = await new Promise<number | undefined>((resolve, reject) => {
      httpRequest(
        { host: "127.0.0.1", port, path: "/health", headers: { host: `evil.example:${port}` } },
        ({ statusCode }) => resolve(statusCode),
      )
        .on("error", reject)
        .end()
    })
    expect(rebound).toBe(403)
  })
})

interface Message {
  readonly id?: number
  readonly event?: string
  readonly data: any
}

/** Reads server-sent events, until there are no more or so many. */
const streamed = async (
  { url }: Server,
  run: string,
  last?: number,
  most = Number.POSITIVE_INFINITY,
): Promise<ReadonlyArray<Message>> => {
  const response = await fetch(`${url}/runs/${run}/events`, {
    headers: {
      accept: "text/event-stream",
      ...(last === undefined ? {} : { "last-event-id": String(last) }),
    },
  })
  const found: Array<Message> = []
  let text = ""
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    text += part
    const whole = text.split("\n\n")
    text = whole.pop()!
    for (const one of whole) {
      if (one.startsWith(":")) continue
      const fields = Object.fromEntries(one.split("\n").map((line) => line.split(/: (.*)/s)))
      found.push({
        data: JSON.parse(fields["data"]),
        ...(fields["id"] === undefined ? {} : { id: Number(fields["id"]) }),
        ...(fields["event"] === undefined ? {} : { event: fields["event"] }),
      })
      if (found.length >= most) return found
    }
  }
  return found
}
