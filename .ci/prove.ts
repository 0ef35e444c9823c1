/**
 * The long checks, seeded: installs of the packed tarballs, replies of hostile services, processes that are killed or compete for runs, a real llama.cpp server, promises in labeled sentences, answers to labeled questions, the conformance suite of MCP, a real Prometheus, the pictures of README.md, properties with more
 * cases, the time from an edit to its view, memory of hostile texts, kills. `node .ci/prove.ts [--seed 1] [--only kills] [--all] [--server llama-server] [--model model.gguf]
 * [--growthbook cases.json]`. Prints the figures of each. Each part tries a sample, which differs with the seed, in at most five minutes on two quiet cores; all cases with `--all`.
 */
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { runGates, tests, type Gate } from "./gates.ts"

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    all: { type: "boolean", default: false },
    server: { type: "string" },
    model: { type: "string" },
    growthbook: { type: "string" },
  },
})
const { all, growthbook, model, only, seed, server } = values

/** Share of all cases of a property. */
const SAMPLE = "0.2"
const sized = { PLANLOOM_CASES: all ? "1" : SAMPLE, PLANLOOM_SEED: seed }

const kills = all
  ? [
      "--kills",
      "500",
      "--storms",
      "9",
      "--early",
      "100",
      "--duels",
      "5",
      "--scouts",
      "40",
      "--served",
      "20",
      "--guides",
      "40",
      "--boundaries",
    ]
  : [
      "--kills",
      "60",
      "--storms",
      "2",
      "--early",
      "24",
      "--duels",
      "2",
      "--kinds",
      "5",
      "--scouts",
      "8",
      "--served",
      "4",
      "--guides",
      "8",
    ]

const config = ["--config", ".config/prove.config.ts"]

const gates: ReadonlyArray<Gate> = [
  tests("packed", [...config, "--project", "packed"]),
  tests("replies", [...config, "--project", "replies"]),
  tests("owners", [...config, "--project", "owners"], all ? sized : {}),
  { ...tests("mcp", [...config, "--project", "mcp"]), shows: true },
  tests("commands", [...config, "--project", "commands"]),
  tests("workflows", [...config, "--project", "workflows"]),
  { ...tests("metrics", [...config, "--project", "metrics"]), shows: true },
  { ...tests("pictures", [...config, "--project", "pictures"]), shows: true },
  tests("sdks", [...config, "--project", "sdks"]),
  { ...tests("promises", [...config, "--project", "promises"]), shows: true },
  { ...tests("questions", [...config, "--project", "questions"]), shows: true },
  {
    ...tests("llama", [...config, "--project", "llama"], {
      ...(server === undefined ? {} : { PLANLOOM_LLAMA_SERVER: server }),
      ...(model === undefined ? {} : { PLANLOOM_LLAMA_MODEL: model }),
    }),
    shows: true,
  },
  tests("properties", [...config, "--project", "properties"], sized),
  tests(
    "growthbook",
    [...config, "--project", "growthbook"],
    growthbook === undefined ? {} : { PLANLOOM_GROWTHBOOK_CASES: resolve(growthbook) },
  ),
  { name: "edits", command: ["node", "bench/editLoop.ts", "20"], shows: true },
  { name: "memory", command: ["node", "bench/salvageHeap.ts", "4", "16"], shows: true },
  {
    name: "kills",
    command: ["node", "bench/chaos/main.ts", ...kills, "--seed", seed],
    shows: true,
  },
]

await runGates(gates.filter(({ name }) => only === undefined || name === only))
