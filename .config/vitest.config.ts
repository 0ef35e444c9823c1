/** One test run for every package, in the workspace's source. */
import { defineConfig } from "vitest/config"

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "packages/*/test/**/*.test.ts",
      "examples/**/*.test.ts",
    ],
    testTimeout: 30_000,
    pool: "threads",
  },
})
