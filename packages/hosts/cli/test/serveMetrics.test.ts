/** Metrics of a server as Prometheus reads them: who may, what they have, and what they never have. */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, afterEach, beforeEach, expect, it } from "vitest"
import { fixture, planloom, serve, trusting, type Server } from "./planloom.ts"

const folders: Array<string> = []
let cwd: string
let server: Server | undefined

beforeEach(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  cwd = await mkdtemp(join(fixture, ".planloom", "metrics-"))
  folders.push(cwd)
  await trusting(cwd)
  await cp(join(fixture, "plugin.ts"), join(cwd, "plugin.ts"))
  await cp(join(fixture, "workflows"), join(cwd, "workflows"), { recursive: true })
})

afterEach(async () => {
  await server?.stop("SIGKILL")
  server = undefined
})

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

const ask = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${server!.url}${path}`, init)
  return { response, text: await response.text() }
}

/** Starts a run and waits until it ends or waits for an answer. */
const ran = async (how: string) => {
  const { response, text } = await ask("/workflows/ends/runs", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ inputs: { how } }),
  })
  expect(response.status, text).toBe(202)
  const { run } = JSON.parse(text) as { readonly run: string }
  const reader = (
    await fetch(`${server!.url}/runs/${run}/events`, { headers: { accept: "text/event-stream" } })
  ).body!.pipeThrough(new TextDecoderStream())
  let seen = ""
  for await (const part of reader) {
    seen += part
    if (/Run(Finished|Failed|Suspended)/.test(seen)) break
  }
  return run
}

it("are in Prometheus's text format, with runs by state, requests by route, and no value of a run", async () => {
  server = await serve(["workflows/ends.yaml", "--metrics"], { cwd })
  const run = await ran("well")
  await ran("approve")
  await ask(`/runs/${run}`)
  await ask("/runs/an-invented-run")
  await ask("/an-invented-path")
  await ask("/runs", { method: "PROPFIND" })
  const { response, text } = await ask("/metrics")
  expect(response.status).toBe(200)
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
  for (const line of [
    'planloom_run_duration_seconds_count{planloom_workflow="ends",planloom_run_status="succeeded"} 1',
    'planloom_run_duration_seconds_count{planloom_workflow="ends",planloom_run_status="suspended"} 1',
    'planloom_server_runs{planloom_server_run_state="queued"} 0',
    'planloom_server_runs{planloom_server_run_state="suspended"} 1',
    "# TYPE planloom_server_runs gauge",
    "planloom_server_active_runs 0",
    'http_server_request_duration_seconds_count{http_request_method="POST",http_route="/workflows/{name}/runs",http_response_status_code="202"} 2',
    'http_server_request_duration_seconds_count{http_request_method="GET",http_route="/runs/{run}",http_response_status_code="404"} 1',
    'http_server_request_duration_seconds_count{http_request_method="GET",http_response_status_code="404"} 1',
    'http_server_request_duration_seconds_count{http_request_method="_OTHER",http_response_status_code="405"} 1',
  ]) {
    expect(text.split("\n")).toContain(line)
  }
  expect(text).toMatch(/^process_memory_usage_bytes \d{7,}$/m)
  expect(text).toMatch(/^process_cpu_time_seconds_total \d/m)
  for (const word of [run, "invented", "PROPFIND", "approve", "127.0.0.1"]) {
    expect(text).not.toContain(word)
  }
})

it("need a key with their scope where keys are used", async () => {
  const key = async (scope: string) =>
    (
      await planloom(["keys", "create", `with_${scope.slice(0, 4)}`, "--scope", scope], { cwd })
    ).stdout.trim()
  const [own, other] = [await key("metrics:read"), await key("runs:read")]
  await writeFile(
    join(cwd, "planloom.yaml"),
    "apiVersion: planloom/v1\nkind: Project\nserve: { metrics: true }\n",
  )
  server = await serve(["workflows/ends.yaml"], { cwd })
  const status = async (path: string, bearer?: string) => {
    const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
    return (await ask(path, { headers })).response.status
  }
  expect(await status("/metrics")).toBe(401)
  expect(await status("/metrics", other)).toBe(403)
  expect(await status("/metrics", own)).toBe(200)
  expect(await status("/runs", own)).toBe(403)
})

it("are not kept unless they are asked for", async () => {
  server = await serve(["workflows/ends.yaml"], { cwd })
  const { response, text } = await ask("/metrics")
  expect(response.status).toBe(404)
  expect(JSON.parse(text)).toMatchObject({ detail: expect.stringContaining("serve --metrics") })
})
