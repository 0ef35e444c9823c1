/**
 * Input tokens of a scripted conversation with 50 tools, hooks on, in set-ups of prompt modes and lazy tools; documentation
 * reads, rejected calls and the turns they take are counted.
 *
 *   node bench/conversation.ts [--turns number] [<set>.tools.jsonl [number]]
 *
 * With `--turns` the script is repeated until the conversation has so many messages.
 * The file adds so many of its tools to the catalog (`{name, description, params: [{name, type, description, required}]}`).
 * Tokens are counted with the tokenizer of OpenAI's models since GPT-4o (o200k), tools as JSON.
 */
import { readFileSync } from "node:fs"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import type { Tool } from "@planloom/plugin/effect"
import { play, type Played, type SetUp } from "./conversation/play.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { turns: { type: "string" } },
})
const [file, number = "100"] = positionals
const turns = values.turns === undefined ? undefined : Number(values.turns)

interface PublicTool {
  readonly name: string
  readonly description: string
  readonly params: ReadonlyArray<{
    readonly name: string
    readonly type: string
    readonly description: string
    readonly required: boolean
  }>
}

const toolOf = ({ description, name, params }: PublicTool): Tool => ({
  name: name.replaceAll(/[^A-Za-z0-9_]/g, "_").slice(0, 60),
  summary: description,
  capabilities: [],
  inputs: {},
  outputs: [],
  effect: "read",
  params: {
    type: "object",
    properties: Object.fromEntries(
      params.map((one) => [one.name, { type: one.type, description: one.description }]),
    ),
    required: params.filter(({ required }) => required).map((one) => one.name),
  },
})

const lines = file === undefined ? [] : readFileSync(file, "utf8").trim().split("\n")
const more = lines.slice(0, Number(number)).map((line) => toolOf(JSON.parse(line) as PublicTool))

const setUps: ReadonlyArray<SetUp> = [
  { name: "full prompt, all schemas", first: "full", later: "full" },
  { name: "routing", first: "full", later: "routing" },
  { name: "lazy", first: "lazy", later: "lazy" },
  { name: "routing and lazy", first: "lazy", later: "routing" },
  { name: "routing, lazy and 12 turns", first: "lazy", later: "routing", window: 12 },
  { name: "full, without deciding hops", first: "full", later: "full", isDirect: true },
]

const played: Array<Played> = []
for (const setUp of setUps) played.push(await Effect.runPromise(play(setUp, more, turns)))
const [base] = played

/** Beside the first set-up. */
const beside = (tokens: number, of: number) => {
  const percent = (tokens / of - 1) * 100
  return `${tokens.toLocaleString("en")} (${percent > 0 ? "+" : ""}${percent.toFixed(1)} %)`
}
const row = (cells: ReadonlyArray<string | number>) => console.log(`| ${cells.join(" | ")} |`)
const table = (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string | number>>,
) => {
  row(head)
  row(head.map(() => "---"))
  for (const cells of rows) row(cells)
  console.log("")
}

/** With a token of the cache at a tenth of another, as Anthropic and OpenAI charge. */
const priced = ({ cached, total }: Played["all"]) => Math.round(total - cached * 0.9)
const each = (sum: number, requests: number) => Math.round(sum / requests)

table(
  [
    "set-up",
    "requests",
    "input tokens",
    "cached prefix",
    "with cached tokens at a tenth",
    "calls executed",
    "rejected first",
    "reads",
  ],
  played.map(({ all, executed, reads, rejected, scripted, setUp }) => [
    setUp.name,
    all.requests,
    beside(all.total, base!.all.total),
    `${((all.cached / all.total) * 100).toFixed(1)} %`,
    beside(priced(all), priced(base!.all)),
    `${executed} of ${scripted}`,
    rejected,
    reads,
  ]),
)

const hopOf = ({ laterHops: { requests, total } }: Played) => each(total, requests)
const promptOf = ({ all: { requests, system, tools } }: Played) => each(system + tools, requests)

table(
  [
    "set-up",
    "a hop that routes",
    "prompt of a request (sections, index, declared tools)",
    "for tools in all requests (declared, index, documentation)",
  ],
  played.map((one) => [
    one.setUp.name,
    beside(hopOf(one), hopOf(base!)),
    beside(promptOf(one), promptOf(base!)),
    beside(one.all.forTools, base!.all.forTools),
  ]),
)
