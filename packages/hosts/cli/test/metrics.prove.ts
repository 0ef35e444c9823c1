/** Prometheus reads a server that runs the market scout, and every query of its dashboard has data. */
import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it, vi } from "vitest"
import { debianProgram } from "../../../../.ci/debianProgram.ts"
import { MarketFixture } from "../../../../examples/market/fixture/MarketFixture.ts"
import { dashboards } from "../../../components/telemetry/test/dashboard.ts"
import { planloom, serve, sourceBin, trusting, type Server } from "./planloom.ts"
import { scriptedMarket } from "./scriptedMarket.ts"
import { freePort } from "../../../../.config/freePort.ts"

const root = join(import.meta.dirname, "../../../..")
const prometheus = debianProgram("prometheus")
const missing = "missing" in prometheus ? prometheus.missing : undefined
if (missing !== undefined) console.log(`skipped: ${missing}`)

/** Seconds between two scrapes; a rate needs two of them. */
const SCRAPE_S = 1
/** Time limit of an expectation. */
const waiting = { timeout: 60_000, interval: 1000 }

const closing: Array<() => unknown> = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

const started = async () => {
  const folder = await mkdtemp(join(tmpdir(), "planloom-metrics-"))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  await trusting(root)
  await trusting(folder)
  const market = await MarketFixture.start()
  closing.push(() => market.stop())
  const { stdout: key } = await planloom(
    ["keys", "create", "prometheus", "--scope", "metrics:read"],
    { cwd: folder, bin: sourceBin },
  )
  await writeFile(join(folder, "planloom.key"), key.trim())
  const operator = await planloom(["keys", "create", "ops", "--scope", "admin"], {
    cwd: folder,
    bin: sourceBin,
  })
  const server = await serve(
    [
      join(root, "workflows/market_scout.yaml"),
      "--metrics",
      ...scriptedMarket({ shallow: 50, deep: 50 }),
    ],
    { cwd: folder, bin: sourceBin, env: market.environment },
  )
  closing.push(() => server.stop("SIGTERM"))
  return { folder, server, token: operator.stdout.trim() }
}

/** Starts a run, answers its question if it has one, and waits for its end. */
const ran = async ({ url }: Server, token: string, message: string, session?: string) => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const post = async (path: string, body: object) =>
    fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })
  const response = await post("/workflows/market_scout/runs", { inputs: { message }, session })
  expect(response.status).toBe(202)
  const { run } = (await response.json()) as { readonly run: string }
  const stream = await fetch(`${url}/runs/${run}/events`, {
    headers: { ...headers, accept: "text/event-stream" },
  })
  let seen = ""
  for await (const part of stream.body!.pipeThrough(new TextDecoderStream())) {
    const before = seen
    seen += part
    if (before.includes('"RunSuspended"') || !seen.includes('"RunSuspended"')) continue
    await post(`/runs/${run}/answers/plan%2Fclarification:1`, { value: "What is moving?" })
  }
  return seen
}

const requests = [
  "What's moving on Base?",
  "Show me trending tokens",
  "Something interesting, please",
  "Uniswap V3 activity last hour",
  "Please help",
]

const conversation = ["What's moving on Base?", "Thanks!"]

const scraping = async (folder: string, target: string) => {
  const port = await freePort()
  await writeFile(
    join(folder, "prometheus.yml"),
    `scrape_configs:
  - job_name: planloom
    scrape_interval: ${SCRAPE_S}s
    authorization: { credentials_file: planloom.key }
    static_configs: [{ targets: ["${target}"] }]
`,
  )
  const { path } = prometheus as { readonly path: string }
  const child: ChildProcess = spawn(
    path,
    [
      "--config.file=prometheus.yml",
      "--storage.tsdb.path=data",
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
  )
  closing.push(async () => {
    child.kill()
    if (child.exitCode === null) await once(child, "exit")
  })
  let log = ""
  child.stderr!.on("data", (data: Buffer) => (log += data.toString()))
  const api = async (route: string): Promise<any> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${route}`)
    const body = (await response.json()) as any
    expect(body.status, JSON.stringify(body)).toBe("success")
    return body.data
  }
  await vi.waitFor(async () => {
    expect(child.exitCode, log).toBeNull()
    expect((await fetch(`http://127.0.0.1:${port}/-/ready`)).ok).toBe(true)
  }, waiting)
  return api
}

/** Numbers of an instant query that are finite. */
const numbersOf = async (api: (route: string) => Promise<any>, expr: string) => {
  const { result } = await api(`query?query=${encodeURIComponent(expr)}`)
  return (result as ReadonlyArray<any>)
    .map(({ value }) => Number(value[1]))
    .filter((value) => Number.isFinite(value))
}

it.skipIf(missing !== undefined)(
  "every query of the market scout's dashboard has data in Prometheus",
  async () => {
    const { folder, server, token } = await started()
    // Series that are new have no rate: each is there before the first scrape.
    for (const message of requests) await ran(server, token, message)
    for (const message of conversation) await ran(server, token, message, "chat")
    const api = await scraping(folder, new URL(server.url).host)
    await vi.waitFor(async () => {
      expect(await numbersOf(api, "up == 1")).toEqual([1])
      expect(await numbersOf(api, "planloom_run_tool_calls_count")).not.toEqual([])
    }, waiting)

    const [scout] = dashboards().filter(({ name }) => name === "market_scout.json")
    const queries = scout!.queries.map(({ expr, panel }) => ({
      panel,
      expr: expr.replaceAll("$__rate_interval", "1m").replaceAll("$workflow", "market_scout"),
    }))
    let runs = requests.length + conversation.length
    await vi.waitFor(async () => {
      // A scrape that comes late must find runs that an earlier one has not.
      for (const message of requests) await ran(server, token, message)
      for (const message of conversation) await ran(server, token, message, "chat")
      runs += requests.length + conversation.length
      const empty: Array<string> = []
      for (const { expr, panel } of queries) {
        if ((await numbersOf(api, expr)).length === 0) empty.push(`${panel}: ${expr}`)
      }
      expect(empty).toEqual([])
      const variants = await api("label/planloom_experiment_variant/values")
      expect(variants).toEqual(["depth=deep", "depth=shallow"])
    }, waiting)

    const { activeTargets } = await api("targets")
    expect(activeTargets[0]).toMatchObject({ health: "up", lastError: "" })
    // Nothing of a request.
    const text = JSON.stringify(await api('series?match[]={job="planloom"}'))
    for (const word of ["moving", "Aerodrome", "PEPE", "0xa1a1", token]) {
      expect(text).not.toContain(word)
    }
    console.log(
      `metrics: ${queries.length} queries of ${scout!.title} have data after ${runs} runs`,
    )
  },
)
