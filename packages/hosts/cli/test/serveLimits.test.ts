/** Runs of one server, of whatever workflow, share the rates and the breaker of a provider. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { wireServer, type WireServer } from "@planloom/testing"
import { fixture, serve, sourceBin, type Server } from "./planloom.ts"

let cwd: string
let own: WireServer
let server: Server | undefined

const workflow = (name: string, policies: string) => `apiVersion: planloom/v1
kind: Workflow
name: ${name}
use: { plugins: ["@planloom/stages", "@planloom/provider-openai"] }
policies: ${policies}
stages: [{ id: answer, uses: generate, model: local/small, with: { task: Greet. } }]
outputs: { said: { type: string, value: "\${{ stages.answer.output.text }}" } }
`

beforeEach(async () => {
  own = await wireServer()
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  cwd = await mkdtemp(join(fixture, ".planloom", "limits-"))
  await mkdir(join(cwd, "workflows"))
})

afterEach(async () => {
  await server?.stop("SIGKILL")
  server = undefined
  await own.close()
  await rm(cwd, { recursive: true, force: true })
})

const started = async (policies: string, flags: ReadonlyArray<string> = []): Promise<Server> => {
  await writeFile(
    join(cwd, "planloom.yaml"),
    `apiVersion: planloom/v1
kind: Project
plugins: { "@planloom/provider-openai": { servers: { local: { base_url: "${own.url}/v1" } } } }
`,
  )
  for (const name of ["one", "two"]) {
    await writeFile(join(cwd, `workflows/${name}.yaml`), workflow(name, policies))
  }
  server = await serve(flags, { cwd, bin: sourceBin })
  return server
}

const begin = async ({ url }: Server, name: string, run: string): Promise<void> => {
  const response = await fetch(`${url}/workflows/${name}/runs`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": run },
    body: "{}",
  })
  expect(response.status).toBe(202)
}

/** Looks until something is there. */
const until = async <A>(look: () => Promise<A | undefined>): Promise<A> => {
  const deadline = Date.now() + 15_000
  while (true) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error(server?.stderr())
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const ended = ({ url }: Server, run: string): Promise<any> =>
  until(async () => {
    const record: any = await (await fetch(`${url}/runs/${run}`)).json()
    return record.status === "running" ? undefined : record
  })

describe("planloom serve", () => {
  it("applies one rate to runs of two workflows: a call above it waits", async () => {
    const at = await started("{ rate: { local: { requests_per_minute: 2 } } }")
    for (const [name, run] of [
      ["one", "a"],
      ["two", "b"],
    ] as const) {
      await begin(at, name, run)
      expect(await ended(at, run)).toMatchObject({ status: "succeeded" })
    }
    await begin(at, "one", "c")
    const waits = await until(async () => {
      const events: any = await (await fetch(`${at.url}/runs/c/events`)).json()
      return events.find(({ type }: { type: string }) => type === "Progressed")
    })
    expect(waits.message).toMatch(/^waiting \d+ s for the rate "local" of local\/small$/)
    expect(own.requests.length).toBe(2)
  })

  it("applies one breaker to them: a model that failed for one run is not called by others", async () => {
    own.answer({ status: 503, message: "too many" })
    const at = await started("{ breaker: { failures: 2, within: 10m, probe_after: 10m } }")
    for (const [name, run] of [
      ["one", "a"],
      ["two", "b"],
    ] as const) {
      await begin(at, name, run)
      expect((await ended(at, run)).result.failure).toMatchObject({ class: "overloaded" })
    }
    await begin(at, "one", "c")
    const { failure } = (await ended(at, "c")).result
    expect(failure.class).toBe("unavailable")
    expect(failure.message).toMatch(
      /local has failed repeatedly; its circuit breaker stays open for \d+ s more/,
    )
    expect(own.requests.length).toBe(2)
  })

  it("rejects a run while --max-waiting runs wait", async () => {
    const rate = "{ rate: { local: { requests_per_minute: 1 } } }"
    const at = await started(rate, ["--max-waiting", "1"])
    await begin(at, "one", "a")
    await ended(at, "a")
    // Waits for the rate, and is the one that may wait.
    await begin(at, "one", "b")
    const refused = await fetch(`${at.url}/workflows/one/runs`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    })
    expect(refused.status).toBe(503)
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/)
  })
})
