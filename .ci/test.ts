/** Every check for every change, within minutes; `.ci/prove.ts` has the longer ones. */
import { runGates, tests } from "./gates.ts"

await runGates(
  // Beside the tests: alone, each would leave a core idle for some time.
  [
    { name: "format", command: ["oxfmt", "--check"] },
    { name: "lint", command: ["oxlint"] },
    {
      name: "types",
      // A third of the processor time of the defaults: checkers that share a package check the same types again, and most of the rest is garbage collection.
      command: ["tsc", "-b", "packages", "--singleThreaded"],
      env: { GOGC: "off", GOMEMLIMIT: "2GiB" },
    },
    { name: "unused", command: ["knip", "-c", ".config/knip.ts"] },
  ],
  // Arguments of ours (`pnpm test -u`) go to vitest, which is the only one with options.
  [tests("unit", ["--config", ".config/vitest.config.ts", ...process.argv.slice(2)])],
)
