/** What is reachable although no import says so: entry points, and dependencies somebody else loads. */
import type { KnipConfig } from "knip"

export default {
  ignoreExportsUsedInFile: true,
  vitest: { config: [".config/vitest.config.ts", ".config/prove.config.ts"] },
  workspaces: {
    ".": {
      entry: [".ci/*.ts", ".config/*.ts", "action/run.mjs", "examples/**/*.ts"],
      // For the plugins that workflows/ names: they are found from the root.
      ignoreDependencies: [/^@planloom\//],
    },
    // Servers are programs, started by path.
    "examples/market": { entry: ["{base,dexscreener,honeypot}.ts", "fixture/serve.ts"] },
    "packages/*/*": {},
    "packages/components/hooks": { entry: ["test/*.prove.ts"] },
    "packages/providers/provider-openai": { entry: ["src/*.prove.ts"] },
    "packages/components/validators": { entry: ["test/*.prove.ts"] },
    // The client is a process of its own.
    "packages/engine/record": { entry: ["test/standStill.ts"] },
    "packages/testing/testing": {
      entry: [
        "test/*.prove.ts",
        "test/questions/*.prove.ts",
        "test/code/runBlocks.mjs",
        "test/hostile/client.ts",
        "test/past/*/plugin.js",
      ],
    },
    "packages/hosts/cli": {
      // Loaded by path: fixtures by the command under test, and the process it runs in.
      entry: ["test/fixture/**/*.ts", "test/commandHost.mjs", "test/*.prove.ts"],
      // A file system to fill, a terminal to close.
      ignoreBinaries: ["mount", "umount", "script"],
      // Outside the published bundle (.ci/build.ts).
      ignoreDependencies: [
        "@anthropic-ai/sdk",
        "@duckdb/node-api",
        "@google/genai",
        // Servers and plugins of the guides.
        "@modelcontextprotocol/server",
        "ajv",
        "ajv-formats",
        "openai",
        "re2js",
        "vega",
        "vega-lite",
      ],
    },
    "packages/components/mcp": {
      // Servers of the tests are processes of their own.
      entry: ["test/{conformanceClient,newServer,server,starter}.ts", "test/*.prove.ts"],
    },
    "packages/components/retrieval-faiss": {
      // Processes that are started by path.
      entry: ["src/graphProcess.ts", "test/hostileCalls.ts"],
      // Optional and native: `setup.sh` builds it.
      ignoreDependencies: ["faiss-node"],
    },
    "packages/components/documents": {
      // A worker thread, and a process to be killed, both started by path.
      entry: ["src/read/readerWorker.ts", "test/syncProcess.ts", "test/*.prove.ts"],
    },
    "packages/stores/store-sqlite": {
      // Loaded by path, in processes of their own.
      entry: ["test/{gated,reviewer,talker,workflow}.ts", "test/*.prove.ts"],
      // A file system to fill.
      ignoreBinaries: ["mount", "umount"],
    },
    // Processes of their own, to be killed, and what they load by path.
    bench: {
      entry: [
        "*.ts",
        "chaos/{main,victim,storm,breeze,conversation,analyst,scout,guide}.ts",
        "engine/{turn,plain,effect}.ts",
        "works/*.ts",
        "documents/measured.ts",
        "hosts/*.mjs",
        "peers/main.ts",
      ],
      // For PID namespaces; part of Linux.
      ignoreBinaries: ["unshare"],
      // On packages of their own, which only this measurement installs.
      ignore: ["peers/*.mjs"],
    },
  },
} satisfies KnipConfig
