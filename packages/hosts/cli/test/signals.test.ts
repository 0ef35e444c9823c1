/** Ends that come from outside, end to end: signals, and readers that go away. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { fixture, inTerminal, lines, noTerminal, planloom, serve, start } from "./planloom.ts"

const folders: Array<string> = []
let cwd: string

/** Its stages append to the file `witness` what happens to them. */
const plugin = `import { appendFileSync } from "node:fs"
import { definePlugin, stageKind } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"

const input = { type: "object", properties: { end: { type: "string" }, ms: { type: "integer" } }, required: ["end"] }
const saw = (what) => Effect.sync(() => appendFileSync("witness", what + "\\n"))

const work = stageKind({
  id: "work",
  summary: "Reports progress until it ends.",
  input,
  output: true,
  run: ({ end, ms = 60000 }, { progress }) =>
    Effect.gen(function* () {
      yield* saw(end + " began")
      for (let left = ms; left > 0; left -= 50) {
        yield* progress(left + " ms left")
        yield* Effect.sleep(50)
      }
      yield* saw(end + " ended")
      return null
    }).pipe(Effect.onInterrupt(() => saw(end + " interrupted"))),
})

export default definePlugin({ id: "witness", summary: "Logs.", components: { stages: [work] } })
`

const workflow = (name: string, ms: number, lastMs: number) => `
apiVersion: planloom/v1
kind: Workflow
name: ${name}
use: { plugins: [../witness.ts] }
inputs: {}
stages: [{ id: work, uses: work, with: { end: work, ms: ${ms} } }]
finally: [{ id: last, uses: work, with: { end: last, ms: ${lastMs} } }]
outputs: {}
`

beforeEach(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  cwd = await mkdtemp(join(fixture, ".planloom", "signals-"))
  folders.push(cwd)
  await mkdir(join(cwd, "workflows"))
  await writeFile(join(cwd, "witness.ts"), plugin)
  await writeFile(join(cwd, "workflows/long.yaml"), workflow("long", 60_000, 100))
  await writeFile(join(cwd, "workflows/stuck.yaml"), workflow("stuck", 60_000, 60_000))
  const twice = "stages: [{ id: first, uses: work, with: { end: first, ms: 2000 } },"
  const short = workflow("short", 0, 0).replace("stages: [", twice)
  await writeFile(join(cwd, "workflows/short.yaml"), short)
  const asks = workflow("asks", 0, 0)
    .replace("[../witness.ts]", '[../witness.ts, "@planloom/stages"]')
    .replace(/stages: .*/, "stages: [{ id: ask, uses: approve, with: { message: Now? } }]")
  await writeFile(join(cwd, "workflows/asks.yaml"), asks)
  await writeFile(join(cwd, "workflows/quick.yaml"), workflow("quick", 0, 0))
})

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

const witness = async (): Promise<ReadonlyArray<string>> =>
  (await readFile(join(cwd, "witness"), "utf8")).trimEnd().split("\n")

const lastRun = async (): Promise<any> => {
  const { stdout } = await planloom(["runs", "list", "--json"], { cwd })
  return JSON.parse(stdout)[0]
}

const cancelled = ["work began", "work interrupted", "last began", "last ended"]

describe("a signal", () => {
  it.each([
    ["SIGHUP", 129],
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "%s cancels a run, whose `finally` is done, with exit code %i",
    async (signal, code) => {
      const said = await planloom(["run", "long", "--json"], {
        cwd,
        interruptAt: /"Progressed"/,
        signal,
      })
      expect(said).toMatchObject({ code, stderr: "" })
      expect(lines(said).at(-1)).toMatchObject({ type: "Result", status: "cancelled" })
      expect(await witness()).toEqual(cancelled)
      expect(await lastRun()).toMatchObject({ status: "cancelled", active: false })
    },
  )

  it("that is the second one ends the process immediately", async () => {
    const command = await start(["run", "stuck", "--json"], { cwd })
    await command.saw(/"work"/)
    command.kill("SIGHUP")
    await command.saw(/"last"/)
    command.kill("SIGTERM")
    expect(await command.ended).toBe(143)
    expect(await witness()).toEqual(cancelled.slice(0, 3))
  })

  it("that is SIGHUP does not end the process if it is sent twice, as shells do", async () => {
    const command = await start(["run", "long", "--json"], { cwd })
    await command.saw(/"work"/)
    command.kill("SIGHUP")
    await command.saw(/"last"/)
    command.kill("SIGHUP")
    expect(await command.ended).toBe(129)
    expect(await witness()).toEqual(cancelled)
  })

  it("SIGHUP of a closed terminal cancels a run that asks there", async (context) => {
    if (noTerminal !== undefined) return context.skip(noTerminal)
    await inTerminal(["run", "asks"], { cwd, closeAt: /yes, or no/ })
    for (const deadline = Date.now() + 15_000; ;) {
      const run = await lastRun()
      if (run.active !== true || Date.now() > deadline) {
        expect(run).toMatchObject({ status: "cancelled", active: false })
        break
      }
    }
    expect(await witness()).toEqual(["last began", "last ended"])
  })

  it("SIGHUP ends a server as SIGTERM does: it records the current step and leaves the run", async () => {
    const server = await serving("short")
    const ended = server.stop("SIGHUP")
    expect(await draining(server.url)).toEqual({ status: "stopping", active_runs: 1 })
    const refused = await begin(server.url, "short", "two")
    expect(refused.status).toBe(503)
    expect(await ended, server.stderr()).toBe(0)
    expect(await witness()).toEqual(["first began", "first ended"])
    expect(await lastRun()).toMatchObject({ run: "one", status: "running", active: false })
  })

  it("interrupts the calls of a server that take longer than --drain, and leaves their runs", async () => {
    const server = await serving("long", ["--drain", "100ms"])
    expect(await server.stop("SIGTERM"), server.stderr()).toBe(0)
    expect(await witness()).toEqual(["work began", "work interrupted"])
    expect(await lastRun()).toMatchObject({ run: "one", status: "running", active: false })
  })

  it("that is the second one ends a server whose calls are in progress", async () => {
    const server = await serving("long")
    const ended = server.stop("SIGTERM")
    await draining(server.url)
    process.kill(server.pid, "SIGTERM")
    expect(await ended).toBe(143)
    expect(await witness()).toEqual(["work began"])
  })
})

const begin = (url: string, name: string, run: string) =>
  fetch(`${url}/workflows/${name}/runs`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": run },
    body: "{}",
  })

/** A server with the run `one` of a workflow, whose first stage is at work. */
const serving = async (name: string, flags: ReadonlyArray<string> = []) => {
  const server = await serve([`workflows/${name}.yaml`, ...flags], { cwd })
  await begin(server.url, name, "one")
  const progressed = async () =>
    (await (await fetch(`${server.url}/runs/one/events`)).text()).includes('"Progressed"')
  while (!(await progressed())) await new Promise((resolve) => setTimeout(resolve, 50))
  return server
}

/** The body of the first reply of /health that is a 503. */
const draining = async (url: string): Promise<unknown> => {
  while (true) {
    const response = await fetch(`${url}/health`)
    const body: unknown = await response.json()
    if (response.status === 503) return body
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe("a closed reader of standard output", () => {
  it("cancels a run, whose `finally` runs, with exit code 141", async () => {
    const said = await planloom(["run", "long", "--json"], { cwd, closeAt: /\n/ })
    expect(said).toMatchObject({ code: 141, stderr: "" })
    expect(await witness()).toEqual(cancelled)
    expect(await lastRun()).toMatchObject({ status: "cancelled", active: false })
  })

  it.each([
    "list stages",
    "list stages --json",
    "runs list --json",
    "check wrong.yaml --format json",
    "schema workflow",
    "--help",
    "--version",
  ])("ends planloom %s silently with exit code 141", async (command) => {
    await writeFile(join(cwd, "wrong.yaml"), "apiVersion: planloom/v1\nkind: Workflow\nnme: x\n")
    if (command.startsWith("runs")) await planloom(["run", "quick"], { cwd })
    const said = await planloom(command.split(" "), { cwd, closeAt: /^/ })
    expect(said).toEqual({ code: 141, stdout: "", stderr: "" })
  })
})
