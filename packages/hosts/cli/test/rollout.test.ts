/** A feature is rolled out, and back, by the configuration of a running `planloom serve`. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import type { RunEvent } from "@planloom/plugin/effect"
import { hashedAssignment } from "../../../components/hooks/src/experiments/assignVariant.ts"
import { planloom, serve, type Server } from "./planloom.ts"

const variants = { off: 0, on: 100 }

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: rollout
use: { plugins: ["@planloom/stages", "@planloom/hooks"] }
inputs: { hold: { type: boolean, default: false } }
session: { request: "hi", assistant: "\${{ stages.said.output }}" }
flags: { rounds: { default: 2, minimum: 1, maximum: 5 } }
experiments: { reflection: { unit: session, variants: ${JSON.stringify(variants)}, ramp: 0% } }
stages:
  - { id: hold, uses: approve, if: inputs.hold, with: { message: Continue? } }
  - { id: said, uses: set, needs: [hold], with: { value: "\${{ experiments.reflection }} \${{ string(flags.rounds) }}" } }
outputs: { said: { type: string, value: "\${{ stages.said.output }}" } }
`

const project = (ramp: string, rounds: number) => `apiVersion: planloom/v1
kind: Project
environments:
  production: { set: { experiments.reflection.ramp: ${ramp}, flags.rounds: ${rounds} } }
`

const SESSIONS = Array.from({ length: 40 }, (_, index) => `talk-${index}`)

let folder: string
let server: Server

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "planloom-rollout-")))
  await mkdir(join(folder, "workflows"))
  await writeFile(join(folder, "workflows/rollout.yaml"), workflow)
  await writeFile(join(folder, "planloom.yaml"), project("10%", 2))
  server = await serve(["rollout", "--watch", "--env", "production"], { cwd: folder })
})

afterAll(async () => {
  await server.stop("SIGKILL")
  await rm(folder, { recursive: true, force: true })
})

const call = async (path: string, body?: unknown, headers = {}): Promise<any> => {
  const response = await fetch(server.url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return await response.json()
}

/** Looks at a run until it is as wanted. */
const until = (run: string, status: string): Promise<any> =>
  vi.waitFor(
    async () => {
      const record = await call(`/runs/${run}`)
      expect(record.status).toBe(status)
      return record
    },
    { timeout: 30_000, interval: 20 },
  )

let started = 0

const start = async (session: string, inputs = {}): Promise<string> => {
  const { run } = await call(
    "/workflows/rollout/runs",
    { inputs, session },
    { "idempotency-key": `run-${started++}` },
  )
  return run
}

const saidBy = async (run: string): Promise<string> =>
  (await until(run, "succeeded")).result.outputs.said

/** The variant of each session. */
const round = async (): Promise<ReadonlyArray<string>> =>
  Promise.all((await Promise.all(SESSIONS.map((session) => start(session)))).map(saidBy))

const expected = (ramp: string, rounds: number): ReadonlyArray<string> =>
  SESSIONS.map(
    (session) =>
      `${hashedAssignment("reflection", { unit: "session", variants, ramp }, session).variant} ${rounds}`,
  )

const configure = async (ramp: string, rounds: number) => {
  const loads = () => server.stderr().split("was loaded again").length
  const before = loads()
  await writeFile(join(folder, "planloom.yaml"), project(ramp, rounds))
  await vi.waitFor(() => expect(loads()).toBe(before + 1), { timeout: 30_000, interval: 20 })
}

const release = async (run: string) => {
  const { waits } = await until(run, "suspended")
  await call(`/runs/${run}/answers/${encodeURIComponent(waits[0].name)}`, {
    value: { approved: true },
  })
  return saidBy(run)
}

const assigned = async (run: string): Promise<string> => {
  const { stdout } = await planloom(["runs", "events", run], { cwd: folder })
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as RunEvent)
  return events.flatMap((event) => (event.type === "VariantAssigned" ? event.variant : [])).join()
}

it("takes a new share without a restart, keeps runs in flight as they are, and goes back", async () => {
  const few = await round()
  expect(few).toEqual(expected("10%", 2))
  const share = few.filter((said) => said === "on 2").length
  expect(share).toBeGreaterThan(0)
  expect(share).toBeLessThan(SESSIONS.length / 4)
  // A session without the feature, whose run waits meanwhile.
  const outside = "held-1"
  expect(hashedAssignment("reflection", { variants, ramp: "10%" }, outside).variant).toBe("off")
  const before = await start(outside, { hold: true })
  await until(before, "suspended")

  await configure("100%", 3)
  expect(await round()).toEqual(expected("100%", 3))
  expect(new Set(expected("100%", 3))).toEqual(new Set(["on 3"]))
  const during = await start("held-2", { hold: true })
  await until(during, "suspended")
  expect(await release(before)).toBe("off 2")

  await configure("10%", 2)
  expect(await round()).toEqual(few)
  expect(await release(during)).toBe("on 3")
  // The session that had the feature at 100 % is outside of the 10 % again.
  expect(await saidBy(await start("held-2"))).toBe("off 2")

  await configure("0%", 2)
  expect(new Set(await round())).toEqual(new Set(["off 2"]))
  expect([await assigned(before), await assigned(during)]).toEqual(["off", "on"])
}, 120_000)

it("shows which variant a run had", async () => {
  const { stdout } = await planloom(["runs", "show", "run-0"], { cwd: folder })
  expect(stdout).toMatch(/^variants +reflection (on|off)$/m)
})

it("keeps the last configuration while the new one has an error", async () => {
  await writeFile(join(folder, "planloom.yaml"), project("100 percent", 2))
  await vi.waitFor(() => expect(server.stderr()).toContain("is served with its previous text"), {
    timeout: 30_000,
    interval: 20,
  })
  expect(await saidBy(await start(SESSIONS[0]!))).toBe("off 2")
})
