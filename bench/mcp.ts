/**
 * Tools of MCP servers: the overhead of a call over the bare SDK, of `check` with many known servers, and the tokens of an
 * index of real tools. Run: node bench/mcp.ts
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
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
  type ToolInvocation,
} from "@planloom/plugin/effect"
import { indexSection } from "../packages/prompt/src/toolIndex.ts"
import { ListStore } from "../packages/mcp/src/listing/ListStore.ts"
import { statedList } from "../packages/mcp/src/listing/ServerList.ts"
import { serverOf } from "../packages/mcp/src/servers/readServers.ts"
import { McpTools } from "../packages/mcp/src/source.ts"
import { realServer } from "../packages/mcp/test/realServer.ts"

const CALLS = 1000
const WARM_UP = 500
const SERVERS = 100
const TOOLS = 20
const CHECKS = 21

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

interface Timed {
  readonly bare: number
  readonly ours: number
}

/** Medians in microseconds of calls by the bare SDK and by us, in turn, so that both have the same load. */
const inTurn = (
  bare: () => Promise<unknown>,
  ours: (count: number) => Effect.Effect<unknown, Failure>,
): Effect.Effect<Timed, Failure> =>
  Effect.gen(function* () {
    const times = { bare: [] as Array<number>, ours: [] as Array<number> }
    for (let count = 0; count < CALLS + WARM_UP; count++) {
      const began = performance.now()
      yield* Effect.promise(bare)
      const between = performance.now()
      yield* ours(count)
      if (count < WARM_UP) continue
      times.bare.push((between - began) * 1000)
      times.ours.push((performance.now() - between) * 1000)
    }
    return { bare: median(times.bare), ours: median(times.ours) }
  })

const client = new Client({ name: "bare", version: "1" })
const bareCall = () => client.callTool({ name: "echo", arguments: message })

let measured: Timed | undefined
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

const shown = ({ bare, ours }: Timed): string =>
  `${ours.toFixed(0)} µs, where the bare SDK takes ${bare.toFixed(0)} µs: ${((ours / bare - 1) * 100).toFixed(1)} % more`

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
  console.log(`a call of a stage, with its checks and events: ${shown(measured!)}`)
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
    const list = statedList(name, tools, Date.now())
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

const index = async () => {
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
  const tools = await Effect.runPromise(
    Effect.scoped(
      Effect.map(load(flow, { plugins }), ({ pipeline }) =>
        [...pipeline.tools.values()].map(({ tool }) => tool).slice(0, 100),
      ),
    ),
  )
  const byName = new Map(tools.map((tool) => [tool.name, { tool }]))
  const offers = tools.map(({ name }) => ({ tool: name, form: "index" as const }))
  const tokens = countTokens(indexSection(offers, byName)!.text)
  console.log(`the index of ${tools.length} tools of real servers: ${tokens} tokens`)
}

try {
  await calls()
  await checks()
  await index()
} finally {
  rmSync(folder, { recursive: true })
}
