/** One test run for every package, in the workspace's source. */
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { LongestFirst } from "./LongestFirst.ts"
import { ownState } from "./ownState.ts"

/** Packages whose tests share no state through modules or the process, or give each file its own (`eachFile.ts`): their files share workers, which saves loading Effect anew for each. */
const pure = `{${[
  "analyst",
  "core",
  "documents",
  "embed",
  "estimate",
  "expression",
  "hooks",
  "language",
  "mcp",
  "mcp-server",
  "pii",
  "planning",
  "plugin",
  "prompt",
  "provider-*",
  "record",
  "retrieval",
  "retrieval-faiss",
  "review-kit",
  "salvage",
  "schema",
  "server",
  "shadow",
  "stage-kit",
  "stages",
  "store-sqlite",
  "subagents",
  "tables",
  "telemetry",
  "tools-*",
  "validators",
].join(",")}}`
const tests = (packages: string) => [
  `packages/*/${packages}/src/**/*.test.ts`,
  `packages/*/${packages}/test/**/*.test.ts`,
]

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "threads",
    sequence: { sequencer: LongestFirst },
    // For processes that tests start: the folder where the command keeps what Node compiled, too.
    env: {
      ...ownState,
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? join(tmpdir(), "node-compile-cache"),
    },
    setupFiles: ["fileSetup.ts", "seed.ts"].map((file) => new URL(file, import.meta.url).pathname),
    // Many tests wait for processes of their own, so there is more than one file for each core.
    maxWorkers: availableParallelism() + 2,
    projects: [
      {
        extends: true,
        test: {
          name: "pure",
          isolate: false,
          include: [...tests(pure), "examples/**/*.test.ts"],
          exclude: ["**/node_modules/**"],
        },
      },
      // Some of them change the environment of their process, which they restore: they share workers with each other only.
      { extends: true, test: { name: "testing", isolate: false, include: tests("testing") } },
      // They share the process in which most of their commands run, too.
      {
        extends: true,
        test: {
          name: "command",
          isolate: false,
          globalSetup: [new URL("bundleOnce.ts", import.meta.url).pathname],
          include: tests("*"),
          exclude: [...tests(pure), ...tests("testing"), "**/node_modules/**"],
        },
      },
    ],
  },
})
