/** The market scout as a person uses it: its files, its tests, and its real servers against APIs on this machine. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { MarketFixture } from "../../../../examples/market/fixture/MarketFixture.ts"
import { collector } from "../../../components/telemetry/test/collector.ts"
import { planloom } from "./planloom.ts"
import { scriptedMarket } from "./scriptedMarket.ts"

const root = join(import.meta.dirname, "../../../..")
const workflow = join(root, "workflows/market_scout.yaml")

let market: MarketFixture
let folder: string

beforeAll(async () => {
  market = await MarketFixture.start()
  folder = await mkdtemp(join(tmpdir(), "market-"))
})
afterAll(async () => {
  await market.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs tests whose models are scripted, and whose tools are those of the servers. */
const tested = async (tests: string) => {
  const file = join(folder, "real.test.yaml")
  await writeFile(
    file,
    `apiVersion: planloom/v1\nkind: WorkflowTest\nworkflow: ${workflow}\ntests:\n${tests}`,
  )
  return planloom(["test", file], { cwd: root, env: market.environment })
}

it("has at most 120 lines, and no plugin but MCP and what ships", async () => {
  const text = await readFile(workflow, "utf8")
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(120)
  const [, plugins] = /plugins: \[(.*)\]/.exec(text)!
  for (const plugin of plugins!.split(", ")) expect(plugin).toMatch(/^"@planloom\/[a-z-]+"$/)
})

it("has no problem, and passes its tests without a key, a network and a server", async () => {
  const checked = await planloom(["check", "--max-warnings", "0", workflow], { cwd: root })
  expect(checked.stdout + checked.stderr).toContain("no problems")
  const { code, stderr, stdout } = await planloom(["test", "workflows/market_scout.test.yaml"], {
    cwd: root,
  })
  expect(stdout + stderr).toMatch(/\n\d+ passed, 0 failed/)
  expect(code).toBe(0)
})

it("plans a second round where a request of its evaluation needs one, and asks where it is ambiguous", async () => {
  const out = join(folder, "runs.jsonl")
  const { code, stdout } = await planloom(
    ["eval", "workflows/market_scout.eval.yaml", "--out", out],
    { cwd: root, env: { GEMINI_API_KEY: "" } },
  )
  expect(stdout).toContain("✓ scores.unneeded.mean * scores.unneeded.count <= 2")
  expect(code).toBe(0)
  const runs = (await readFile(out, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { status: string; scores: { rounds?: number } })
  expect(runs.length).toBeGreaterThanOrEqual(60)
  expect(runs.filter(({ status }) => status === "clarification").length).toBe(11)
  for (const { scores } of runs) expect(scores.rounds ?? 0).toBeLessThanOrEqual(2)
})

it("plans no more and no fewer second rounds for requests by a writer who did not know its rules", async () => {
  const { code, stdout } = await planloom(["eval", "workflows/market_scout.fresh.eval.yaml"], {
    cwd: root,
    env: { GEMINI_API_KEY: "" },
  })
  expect(stdout).toContain("120 of 120")
  expect(code).toBe(0)
})

it("discovers with the real servers: a router, the pairs of its tokens and their safety", async () => {
  const { code, stdout } = await tested(`
  - name: discovers
    given:
      inputs: { message: What is moving on Base? }
      models:
        plan:
          - json:
              confidence: 0.9
              plan:
                steps:
                  - { id: activity, tool: base.getDexRouterActivity, params: { router: Uniswap V3 } }
                  - { id: pairs, tool: dexscreener.getPairsByToken, params: { tokenAddress: { $from: item, path: token.address } }, each: { over: { $from: activity, path: items }, as: item, limit: 3 } }
                  - { id: safety, tool: honeypot.check_token, params: { address: { $from: item, path: token.address } }, each: { over: { $from: activity, path: items }, as: item, limit: 3 } }
    expect:
      assert:
        - stages.work.output.iterations == 1 && outputs.ended == "done"
        - 'outputs.answer == "- uniswap_v3, last 30 min: 4 swaps of PEPE, LUNA\\n- PEPE on uniswap at $0.0012, liquidity $81001\\n- LUNA on uniswap at $0.034, liquidity $410000\\n- PEPE: no honeypot, risk low, sell tax 0.0 %\\n- LUNA: no honeypot, risk medium, sell tax 3.5 %"'
        - 'calls.filter(call, call.ok).map(call, call.entities).exists(found, found.exists(one, one.type == "pair" && one.name == "PEPE/WETH"))'
`)
  expect(stdout).toContain("1 passed, 0 failed")
  expect(code).toBe(0)
})

it("keeps the other results while a public API is down, and says which one", async () => {
  market.instead.set("dexscreener", { status: 503, body: { message: "maintenance" } })
  const { code, stdout } = await tested(`
  - name: a dead dexscreener
    given:
      inputs: { message: Is PEPE safe? }
      models:
        plan:
          - json: { confidence: 0.9, plan: { steps: [{ id: p, tool: dexscreener.searchPairs, params: { query: PEPE } }, { id: s, tool: honeypot.check_token, params: { address: "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1" } }] } }
        review: [{ when: dexscreener.searchPairs failed, json: { strategy: none } }]
    expect:
      assert:
        - 'outputs.answer == "- dexscreener.searchPairs failed: dexscreener failed with status 503: maintenance\\n- PEPE: no honeypot, risk low, sell tax 0.0 %"'
`)
  market.instead.clear()
  expect(stdout).toContain("1 passed, 0 failed")
  expect(code).toBe(0)
})

it("selects the tools of its examples without a model, or asks where words do not suffice", async () => {
  const { stdout } = await planloom(
    ["test", workflow, "--examples", "--set", "models.planner.try=[]"],
    { cwd: root, env: market.environment },
  )
  const lines = [...stdout.matchAll(/^(ok|miss) +plan +\d +(.*)$/gm)]
  expect(lines.map(([, outcome, request]) => `${outcome} ${request!.slice(0, 20)}`)).toEqual([
    "ok Show me Uniswap V3 a",
    "ok Check PEPE on Dexscr",
    "miss Give me an update on",
    "miss What's moving on Bas",
    "ok Analyze tx 0x1414141",
    "ok Something interestin",
    "ok Show me the ABI for ",
  ])
  expect(stdout.match(/the run ended in a question of plan/g)).toHaveLength(2)
})

it("sends what a plan is measured by to a collector, by stage, alias and variant", async () => {
  const collected = await collector()
  const set = scriptedMarket({ shallow: 0, deep: 100 }, { "telemetry.otlp": collected.url })
  // The first plan only reads the router: a rule adds the pairs of its tokens.
  const input = ["--input", "message=Show me trending tokens"]
  const { code, stderr } = await planloom(["run", workflow, ...input, ...set], {
    cwd: folder,
    env: market.environment,
  })
  await collected.close()
  expect(code, stderr).toBe(0)
  const place = (stage: string, alias?: string) => ({
    "planloom.workflow": "market_scout",
    "planloom.stage.id": stage,
    "planloom.experiment.variant": "depth=deep",
    ...(alias === undefined ? {} : { "planloom.model.alias": alias }),
  })
  const points = collected.points()
  const of = (metric: string) =>
    points
      .filter((point) => point.metric === metric)
      .map(({ attributes, count, sum }) => [sum, count, attributes])
  const planner = place("plan", "planner")
  expect(of("planloom.confidence")).toEqual([[0.8, 1, planner]])
  expect(of("planloom.replies")).toEqual([
    [1, undefined, { ...planner, "planloom.reply.rung": "direct" }],
  ])
  expect(of("planloom.reasoning.length")).toEqual([[10, 1, planner]])
  const reflected = (round: string, strategy: string, complete: string) => ({
    ...place("review"),
    "planloom.reflection.round": round,
    "planloom.reflection.strategy": strategy,
    "planloom.reflection.complete": complete,
  })
  expect(of("planloom.reflections")).toEqual([
    [1, undefined, reflected("1", "extend", "false")],
    [1, undefined, reflected("2", "none", "true")],
  ])
  expect(of("planloom.loop.iterations")).toEqual([
    [2, 1, { ...place("work"), "planloom.loop.stopped": "done" }],
  ])
  expect(of("planloom.tool.reused")).toEqual([
    [1, undefined, { ...place("results"), "gen_ai.tool.name": "base.getDexRouterActivity" }],
  ])
  expect(of("planloom.run.tool_calls").map(([sum]) => sum)).toEqual([3])
  for (const word of ["trending", "PEPE", "0xa1a1"]) expect(collected.text()).not.toContain(word)
})

it("keeps its keys out of events, the answer and the store, also where an API repeats one", async () => {
  const cwd = await mkdtemp(join(folder, "keys-"))
  const keys = { GEMINI_API_KEY: "gm-4f81c09be2d7", ETHERSCAN_API_KEY: "es-93d0a7716bfe" }
  const refusal = { status: "0", message: "NOTOK", result: `invalid key ${keys.ETHERSCAN_API_KEY}` }
  market.instead.set("explorer", { status: 200, body: refusal })
  const asked = market.asked.length
  const input = ["--input", `message=Show me the ABI for 0x${"a1".repeat(20)}`]
  const { stderr, stdout } = await planloom(
    ["run", workflow, "--json", "--set", "models.planner.try=[]", ...input],
    { cwd, env: { ...market.environment, ...keys } },
  )
  market.instead.delete("explorer")
  const urls = market.asked.slice(asked).map(({ url }) => url)
  expect(urls.some((url) => url.includes(keys.ETHERSCAN_API_KEY))).toBe(true)
  expect(stdout).toContain("invalid key")
  const stored = join(cwd, ".planloom")
  const files = (await readdir(stored)).filter((name) => name.startsWith("runs.db"))
  expect(files).not.toEqual([])
  const texts = await Promise.all(files.map((name) => readFile(join(stored, name), "latin1")))
  for (const key of Object.values(keys)) {
    for (const text of [stdout, stderr, ...texts]) expect(text).not.toContain(key)
  }
})
