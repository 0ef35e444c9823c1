/**
 * The long checks, seeded: installs of the packed tarballs, replies of hostile services, properties with ten times the cases, kills.
 * `node .ci/prove.ts [--seed 1] [--only kills]`. Prints the figures of each.
 */
import { parseArgs } from "node:util"
import { runGates, tests, type Gate } from "./gates.ts"

const { values } = parseArgs({
  options: { seed: { type: "string", default: "1" }, only: { type: "string" } },
})
const { only, seed } = values
const config = ["--config", ".config/prove.config.ts"]

const gates: ReadonlyArray<Gate> = [
  tests("packed", [...config, "--project", "packed"]),
  tests("replies", [...config, "--project", "replies"]),
  tests("properties", [...config, "--project", "properties"], {
    PLANLOOM_CASES: "10",
    PLANLOOM_SEED: seed,
  }),
  {
    name: "kills",
    command: ["node", "bench/chaos/main.ts", "--kills", "200", "--storms", "3", "--seed", seed],
    shows: true,
  },
]

await runGates(gates.filter(({ name }) => only === undefined || name === only))
