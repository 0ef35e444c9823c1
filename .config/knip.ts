/** What is reachable although no import says so: entry points, and dependencies somebody else loads. */
import type { KnipConfig } from "knip"

export default {
  ignoreExportsUsedInFile: { interface: true, type: true },
  vitest: { config: [".config/vitest.config.ts"] },
  workspaces: {
    ".": { entry: [".ci/*.ts", ".config/*.ts"] },
    "packages/*": {},
    "packages/cli": {
      // Outside the published bundle (.ci/build.ts), or there for the plugins a user writes.
      ignoreDependencies: ["@duckdb/node-api", "@planloom/plugin", "re2js", "vega", "vega-lite"],
    },
    bench: { entry: ["*.ts"] },
    "examples/*": { entry: ["**/*.ts"] },
  },
} satisfies KnipConfig
