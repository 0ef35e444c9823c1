/**
 * Tools of MCP servers: the overhead of a call over the bare SDK, of `check` with many known servers, and the tokens of an
 * index of real tools. Run: node bench/mcp.ts [<folder of livemcp_steps.tools.jsonl>]
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import * as Effect from "effect/Effect"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { run } from "@planloom/core"
import { check, load } from "@planloom/embed"
import mcp from "@planloom/mcp"
import {
  definePlugin,
  stageKind,
  type Declared,
  type Failure,
  type Json,
  type JsonObject,
  type Tool,
  type ToolInvocation,
} from "@planloom/plugin/effect"
import { declareTools } from "../packages/engine/prompt/src/declareTools.ts"
import { indexSection } from "../packages/engine/prompt/src/toolIndex.ts"
import { joinLists } from "../packages/components/mcp/src/listing/joinLists.ts"
import { ListStore } from "../packages/components/mcp/src/listing/ListStore.ts"
import { statedList } from "../packages/components/mcp/src/listing/ServerList.ts"
import { serverOf } from "../packages/components/mcp/src/servers/readServers.ts"
import { McpTools } from "../packages/components/mcp/src/source.ts"
import { realServer } from "../packages/components/mcp/test/realServer.ts"

const CALLS = 1000
const ROUNDS = 7
const WARM_UP = 500
const SERVERS = 100
const TOOLS = 20
const CHECKS = 21
const INDEXED = 100
const WHOLE = 5

const folder = mkdtempSync(join(tmpdir(), "planloom-bench-mcp-"))
process.env["PLANLOOM_STATE_DIR"] = join(folder, "state")
mkdirSync(join(folder, "state"))

const write = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

const everything = realServer("everything")
const message = { message: "hello" }

/** Medians in microseconds of the calls of one round. */
interface Timed {
  readonly bare: number
  readonly ours: number
}

/** Calls by the bare SDK and by us, in turn and each first every other time, so that both have the same load. */
const inTurn = (
  bare: () => Promise<unknown>,
  ours: (count: number) => Effect.Effect<unknown, Failure>,
): Effect.Effect<ReadonlyArray<Timed>, Failure> =>
  Effect.gen(function* () {
    const contenders = { bare: () => Effect.promise(bare), ours }
    const rounds: Array<Timed> = []
    for (let count = 0; count < WARM_UP; count++) {
      yield* contenders.bare()
      yield* ours(count)
    }
    for (let round = 0; round < ROUNDS; round++) {
      const times = { bare: [] as Array<number>, ours: [] as Array<number> }
      for (let call = 0; call < CALLS; call++) {
        for (const who of call % 2 === 0
          ? (["bare", "ours"] as const)
          : (["ours", "bare"] as const)) {
          const began = performance.now()
          yield* contenders[who](WARM_UP + round * CALLS + call)
          times[who].push((performance.now() - began) * 1000)
        }
      }
      rounds.push({ bare: median(times.bare), ours: median(times.ours) })
    }
    return rounds
  })

const client = new Client({ name: "bare", version: "1" })
const bareCall = () => client.callTool({ name: "echo", arguments: message })

let measured: ReadonlyArray<Timed> = []
/** Calls a tool as often as is measured. */
const probe = stageKind({
  id: "probe",
  summary: "Calls a tool many times.",
  input: { type: "object" },
  output: true,
  run: (_, { callTool }) =>
    Effect.map(
      inTurn(bareCall, (count) => callTool({ tool: "e.echo", params: message, key: `${count}` })),
      (timed) => {
        measured = timed
        return 1
      },
    ),
})

const plugins = {
  "@planloom/mcp": async () => mcp,
  probe: async () =>
    definePlugin({ id: "probe", summary: "A probe.", components: { stages: [probe] } }),
}

/** The median of the rounds and, after it, the least. */
const shown = (rounds: ReadonlyArray<Timed>): string => {
  const figures = (values: ReadonlyArray<number>, digits: number) =>
    `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)})`
  const more = rounds.map(({ bare, ours }) => (ours / bare - 1) * 100)
  return `${figures(more, 1)} % more: ${figures(
    rounds.map(({ ours }) => ours),
    0,
  )} µs, where the bare SDK takes ${figures(
    rounds.map(({ bare }) => bare),
    0,
  )} µs`
}

const calls = async () => {
  const { args, command } = everything
  await client.connect(new StdioClientTransport({ command, args: [...args], stderr: "ignore" }))
  const declared: Declared = {
    root: folder,
    roots: [],
    files: () => [],
    sections: () => [{ path: join(folder, "x.yaml"), value: { e: everything } as unknown as Json }],
  }
  const source = new McpTools({ declared: () => declared, secret: () => undefined })
  await Effect.runPromise(source.list)
  const invocation = {
    tool: "e.echo",
    params: message,
    workspace: join(folder, "run"),
    roots: [folder],
    progress: () => Effect.void,
  } as unknown as ToolInvocation
  const alone = await Effect.runPromise(inTurn(bareCall, () => source.call(invocation)))
  console.log(`a call of the tool source: ${shown(alone)}`)
  const flow = write(
    "calls.yaml",
    `apiVersion: planloom/v1
kind: Workflow
name: calls
use: { plugins: [probe, "@planloom/mcp"] }
mcp: { e: ${JSON.stringify(everything)} }
stages: [{ id: calls, uses: probe }]
`,
  )
  await Effect.runPromise(
    Effect.scoped(Effect.flatMap(load(flow, { plugins }), ({ pipeline }) => run(pipeline, {}))),
  )
  console.log(`a call of a stage, with its checks and events: ${shown(measured)}`)
  await Effect.runPromise(source.close)
  await client.close()
}

const checks = async () => {
  const store = new ListStore(join(folder, "state"))
  const names = Array.from({ length: SERVERS }, (_, at) => `server${at}`)
  const declared = Object.fromEntries(
    names.map((name) => [name, { command: "nothing", args: [name] }]),
  )
  for (const name of names) {
    const tools = Array.from({ length: TOOLS }, (_, at) => ({
      name: `tool_${at}`,
      description: `Does the thing number ${at} of the server, with all that belongs to it. It needs an id.`,
      inputSchema: {
        type: "object",
        properties: Object.fromEntries(
          ["id", "name", "limit", "filter"].map((param) => [
            param,
            { type: "string", description: `The ${param} of the thing.` },
          ]),
        ),
        required: ["id"],
      },
    }))
    const list = statedList(name, { tools, now: Date.now() })
    await store.write(serverOf(name, declared[name]!, join(folder, "x.yaml"), folder), list)
  }
  const body = (servers: JsonObject) => `apiVersion: planloom/v1
kind: Workflow
name: many
use: { plugins: [probe, "@planloom/mcp"] }
mcp: ${JSON.stringify(servers)}
stages: [{ id: calls, uses: probe }]
`
  const paths = [write("none.yaml", body({})), write("many.yaml", body(declared))]
  const times = paths.map((): Array<number> => [])
  for (let count = 0; count < CHECKS; count++) {
    for (const [at, path] of paths.entries()) {
      const before = process.cpuUsage()
      const { diagnostics } = await Effect.runPromise(Effect.scoped(check(path, { plugins })))
      const { system, user } = process.cpuUsage(before)
      times[at]!.push((user + system) / 1000)
      if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics[0]))
    }
  }
  const [none, many] = times.map(median) as [number, number]
  console.log(
    `check with ${SERVERS} known servers of ${TOOLS} tools: ${(many - none).toFixed(1)} ms of CPU more than without (${many.toFixed(1)} and ${none.toFixed(1)} ms)`,
  )
}

/** Tokens of a prompt's part for 100 tools: all in the index, and the five of every twentieth place declared whole. */
const indexed = (what: string, tools: ReadonlyArray<Tool>): void => {
  const byName = new Map(tools.map((tool) => [tool.name, { tool }]))
  const tokensOf = (isWhole: (at: number) => boolean): number => {
    const offers = tools.map(({ name }, at) => ({
      tool: name,
      form: isWhole(at) ? ("schema" as const) : ("index" as const),
    }))
    const declared = declareTools(offers, byName)
    return (
      countTokens(indexSection(offers, byName)!.text) +
      (declared === undefined ? 0 : countTokens(JSON.stringify(declared)))
    )
  }
  const sizes = tools.map((tool) => JSON.stringify(tool.params).length)
  const largest = new Set(sizes.toSorted((one, other) => other - one).slice(0, WHOLE))
  console.log(
    `the index of ${tools.length} ${what}: ${tokensOf(() => false)} tokens; with five whole ${tokensOf((at) => at % (tools.length / WHOLE) === 0)}, with the five largest ${tokensOf((at) => largest.has(sizes[at]!))}`,
  )
}

/** Tools of servers that were started, without those that stand for resources and prompts; three copies of each server. */
const startedTools = async (): Promise<ReadonlyArray<Tool>> => {
  const names = ["everything", "filesystem", "memory", "sequential-thinking"]
  const servers = Object.fromEntries(
    names.flatMap((name) =>
      ["a", "b", "c"].map((copy) => [
        `${name}-${copy}`,
        realServer(name, name === "filesystem" ? { args: [folder] } : {}),
      ]),
    ),
  )
  const flow = write(
    "index.yaml",
    `apiVersion: planloom/v1
kind: Workflow
name: index
use: { plugins: [probe, "@planloom/mcp"] }
mcp: ${JSON.stringify(servers)}
stages: [{ id: calls, uses: probe }]
`,
  )
  const { pipeline } = await Effect.runPromise(Effect.scoped(load(flow, { plugins })))
  return [...pipeline.tools.values()]
    .map(({ tool }) => tool)
    .filter(
      ({ name, offered }) => offered !== false && !/\.(?:list_resources|read_resource)$/.test(name),
    )
}

interface WrittenTool {
  readonly name: string
  readonly description: string
  readonly group: string
  readonly params: ReadonlyArray<{
    readonly name: string
    readonly type: string
    readonly description: string
    readonly required: boolean
  }>
}

/** Tools of the servers of LiveMCPBench, as their lists have them. */
const writtenTools = (file: string): ReadonlyArray<Tool> => {
  const tools = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as WrittenTool)
  return [...Map.groupBy(tools, ({ group }) => group)].flatMap(([group, own]) => {
    const prefix = group.replaceAll(/[^A-Za-z0-9_-]+/g, "-").replace(/^[^A-Za-z]+/, "")
    const listed = own.map(({ description, name, params }) => ({
      name,
      description,
      inputSchema: {
        type: "object",
        properties: Object.fromEntries(
          params.map((one) => [one.name, { type: one.type, description: one.description }]),
        ),
        required: params.flatMap(({ name: param, required }) => (required ? [param] : [])),
      },
    }))
    const server = serverOf(prefix, { command: "nothing" }, join(folder, "x.yaml"), folder)
    return joinLists([{ server, list: statedList(prefix, { tools: listed }) }]).tools
  })
}

const index = async () => {
  indexed("tools of four real servers", (await startedTools()).slice(0, INDEXED))
  const [, , data] = process.argv
  if (data === undefined) return
  const written = writtenTools(join(data, "livemcp_steps.tools.jsonl"))
  for (let from = 0; from + INDEXED <= written.length; from += INDEXED) {
    indexed("tools of LiveMCPBench, server by server", written.slice(from, from + INDEXED))
  }
  const every = Math.floor(written.length / INDEXED)
  for (let first = 0; first < every; first++) {
    const spread = written.filter((_, at) => at % every === first).slice(0, INDEXED)
    indexed("tools of LiveMCPBench, spread over its servers", spread)
  }
}

try {
  await calls()
  await checks()
  await index()
} finally {
  rmSync(folder, { recursive: true })
}
