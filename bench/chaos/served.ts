/** `planloom serve`, the command itself, killed while it runs the market scout: what was recorded is not asked of the APIs again. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { JsonObject, RunEvent } from "@planloom/plugin/effect"
import { MarketFixture, type Asked } from "../../examples/market/fixture/MarketFixture.ts"
import { plans } from "./scoutModel.ts"
import { eventsIn } from "./stored.ts"
import type { Tally } from "./trial.ts"

const root = join(import.meta.dirname, "../..")
const RUN = "scout"
const PATIENCE_MS = 120_000

interface Server {
  readonly url: string
  readonly kill: () => Promise<void>
}

const started = async (folder: string, market: MarketFixture): Promise<Server> => {
  const plugins = ["stages", "retrieval", "mcp"].map((name) => `@planloom/${name}`)
  const use = JSON.stringify([...plugins, join(import.meta.dirname, "scoutModel.ts")])
  const args = [
    "serve",
    join(root, "workflows/market_scout.yaml"),
    "--port",
    "0",
    "--every",
    "50ms",
  ]
  const child = spawn(
    process.execPath,
    [join(root, "packages/hosts/cli/src/bin.ts"), ...args, "--set", `use.plugins=${use}`],
    {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        ...market.environment,
        GEMINI_API_KEY: "chaos-7f3a9c2e51",
        ETHERSCAN_API_KEY: "chaos-e20b64d8f7",
        CHAOS_MODEL_CALLS: join(folder, "model"),
        NODE_COMPILE_CACHE: join(tmpdir(), "planloom-chaos-compiled"),
      },
    },
  )
  const closed = once(child, "close")
  let said = ""
  const url = new Promise<string>((resolve, reject) => {
    const read = (data: Buffer) => {
      said += data.toString()
      const [found] = /http:\/\/[\d.]+:\d+/.exec(said) ?? []
      if (found !== undefined) resolve(found)
    }
    child.stdout.on("data", read)
    child.stderr.on("data", read)
    void closed.then(() => reject(new Error(said)))
  })
  return {
    url: await url,
    kill: async () => {
      child.kill("SIGKILL")
      await closed
    },
  }
}

const begin = async ({ url }: Server, message: string): Promise<void> => {
  const response = await fetch(`${url}/workflows/market_scout/runs`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": RUN },
    body: JSON.stringify({ inputs: { message } }),
  })
  if (!response.ok) throw new Error(await response.text())
}

/** The end of the run, or the moment at which the condition holds. */
const until = async ({ url }: Server, holds: () => boolean): Promise<unknown> => {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    if (holds()) return undefined
    const response = await fetch(`${url}/runs/${RUN}`)
    const text = await response.text()
    const { result, status } = JSON.parse(text) as {
      readonly result?: { readonly outputs?: unknown }
      readonly status?: string
    }
    if (status === "succeeded") return result?.outputs
    if (status === "failed" || Date.now() > deadline) throw new Error(text)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

/** The request of an API by which a call of a tool is known. */
const isOf = ({ params, tool }: { readonly tool: string; readonly params: JsonObject }) => {
  const about = String(Object.values(params)[0]).toLowerCase()
  return ({ body, service, url }: Asked): boolean => {
    if (tool === "base.getDexRouterActivity")
      return [body].flat().some((one: { method?: string }) => one?.method === "eth_getLogs")
    const words = decodeURIComponent(url)
      .toLowerCase()
      .split(/[/?&=]/)
    return service === tool.split(".")[0] && words.includes(about)
  }
}

interface Death {
  readonly asked: number
  readonly modelCalls: number
  readonly events: ReadonlyArray<RunEvent>
}

/** Runs one request, and kills its server whenever it has asked for so many more things. */
const killed = async (message: string, kills: ReadonlyArray<number>) => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-served-"))
  const market = await MarketFixture.start()
  const modelCalls = () => {
    const file = join(folder, "model")
    return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []
  }
  const seen = () => market.asked.length + modelCalls().length
  try {
    const deaths: Array<Death> = []
    let began = performance.now()
    let server = await started(folder, market)
    await begin(server, message)
    for (const more of kills) {
      const from = seen()
      if ((await until(server, () => seen() >= from + more)) !== undefined) break
      await server.kill()
      const events = await eventsIn(join(folder, ".planloom"), RUN)
      deaths.push({ asked: market.asked.length, modelCalls: modelCalls().length, events })
      began = performance.now()
      server = await started(folder, market)
    }
    const outputs = await until(server, () => false)
    const lastMs = performance.now() - began
    await server.kill()
    const events = await eventsIn(join(folder, ".planloom"), RUN)
    return { asked: market.asked, deaths, events, lastMs, modelCalls: modelCalls(), outputs }
  } finally {
    await market.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const isMade = (event: RunEvent) => event.type === "ToolCalled" && event.from === undefined

const tallyOf = (
  message: string,
  { asked, deaths, events, lastMs, modelCalls, outputs }: Awaited<ReturnType<typeof killed>>,
  right: unknown,
): Tally => {
  const recordedRepeated: Array<string> = []
  let recordedAtDeath = 0
  for (const death of deaths) {
    for (const event of death.events) {
      const repeats =
        event.type === "ToolCalled" && isMade(event)
          ? asked.slice(death.asked).some(isOf(event))
          : event.type === "ModelCalled"
            ? modelCalls.slice(death.modelCalls).includes(nameOf(event.path))
            : undefined
      if (repeats === undefined) continue
      recordedAtDeath++
      if (repeats) recordedRepeated.push(`${message}: ${JSON.stringify(event)}`)
    }
  }
  const made = events.map((event) =>
    event.type === "ToolCalled" && isMade(event)
      ? asked.filter(isOf(event)).length
      : event.type === "ModelCalled"
        ? modelCalls.filter((name) => name === nameOf(event.path)).length
        : 1,
  )
  return {
    runs: 1,
    kills: deaths.length,
    freezes: 0,
    lost: JSON.stringify(outputs) === JSON.stringify(right) ? [] : [message],
    recordedRepeated,
    livingRepeated: [],
    endedRepeated: 0,
    startedRepeated: made.reduce((sum, times) => sum + times - 1, 0),
    recordedAtDeath,
    lastMs,
    outputs: new Map(),
  }
}

/** The name of the output that the model of a stage is asked for. */
const nameOf = (path: string): string => (path === "plan" ? "plan" : "reflection")

/** `random` gives numbers from 0 to 1. */
export const served = async (
  kills: number,
  random: () => number,
): Promise<ReadonlyArray<Tally>> => {
  const right = new Map<string, unknown>()
  const tallies: Array<Tally> = []
  const messages = Object.keys(plans)
  for (let made = 0; made < kills;) {
    const message = messages[tallies.length % messages.length]!
    if (!right.has(message)) right.set(message, (await killed(message, [])).outputs)
    const counts = Array.from({ length: Math.min(2, kills - made) }, () => 1 + random() * 3)
    const tally = tallyOf(
      message,
      await killed(message, counts.map(Math.floor)),
      right.get(message),
    )
    tallies.push(tally)
    made += tally.kills
  }
  return tallies
}
