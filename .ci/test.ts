/** Every check for every change, within minutes; `.ci/prove.ts` has the longer ones. */
import { runGates, tests } from "./gates.ts"

await runGates([
  { name: "format", command: ["oxfmt", "--check"] },
  { name: "lint", command: ["oxlint"] },
  { name: "types", command: ["tsc", "-b", "packages"] },
  { name: "unused", command: ["knip", "-c", ".config/knip.ts"] },
  // Arguments of ours (`pnpm test -u`) go to vitest, which is the only one with options.
  tests("unit", ["--config", ".config/vitest.config.ts", ...process.argv.slice(2)]),
])
