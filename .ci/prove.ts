/**
 * The long checks, seeded: installs of the packed tarballs, replies of hostile services, processes that are killed or compete for runs, a real llama.cpp server, properties with ten
 * times the cases, the time from an edit to its view, memory of hostile texts, kills. `node .ci/prove.ts [--seed 1] [--only kills] [--server llama-server] [--model model.gguf]
 * [--growthbook cases.json]`. Prints the figures of each.
 */
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { runGates, tests, type Gate } from "./gates.ts"

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    server: { type: "string" },
    model: { type: "string" },
    growthbook: { type: "string" },
  },
})
const { growthbook, model, only, seed, server } = values
const config = ["--config", ".config/prove.config.ts"]

const gates: ReadonlyArray<Gate> = [
  tests("packed", [...config, "--project", "packed"]),
  tests("replies", [...config, "--project", "replies"]),
  tests("owners", [...config, "--project", "owners"]),
  {
    ...tests("llama", [...config, "--project", "llama"], {
      ...(server === undefined ? {} : { PLANLOOM_LLAMA_SERVER: server }),
      ...(model === undefined ? {} : { PLANLOOM_LLAMA_MODEL: model }),
    }),
    shows: true,
  },
  tests("properties", [...config, "--project", "properties"], {
    PLANLOOM_CASES: "10",
    PLANLOOM_SEED: seed,
  }),
  tests(
    "growthbook",
    [...config, "--project", "growthbook"],
    growthbook === undefined ? {} : { PLANLOOM_GROWTHBOOK_CASES: resolve(growthbook) },
  ),
  { name: "edits", command: ["node", "bench/editLoop.ts", "20"], shows: true },
  { name: "memory", command: ["node", "bench/salvageHeap.ts", "4", "16"], shows: true },
  {
    name: "kills",
    command: ["node", "bench/chaos/main.ts", "--kills", "200", "--storms", "3", "--seed", seed],
    shows: true,
  },
]

await runGates(gates.filter(({ name }) => only === undefined || name === only))
