/** The long tests of `pnpm prove`: installs of the packed tarballs, and every property with more cases. */
import { globSync, readFileSync } from "node:fs"
import { defineConfig } from "vitest/config"
import { newestSdks } from "./newestSdks.ts"
import { ownState } from "./ownState.ts"

const root = new URL("..", import.meta.url).pathname
const MINUTES = 60_000

/** Test files whose number of cases grows in the long run. */
const properties = globSync(["packages/*/{src,test}/**/*.test.ts", "examples/**/*.test.ts"], {
  cwd: root,
  exclude: ["**/node_modules/**"],
}).filter((file) =>
  /\/\.config\/cases\.ts|\/(streamLaw|measure)\.ts/.test(readFileSync(`${root}/${file}`, "utf8")),
)

export default defineConfig({
  root,
  test: {
    pool: "threads",
    env: ownState,
    setupFiles: [new URL("fileSetup.ts", import.meta.url).pathname],
    testTimeout: 10 * MINUTES,
    projects: [
      {
        extends: true,
        test: {
          name: "packed",
          globalSetup: [new URL("packOnce.ts", import.meta.url).pathname],
          include: ["packages/cli/test/{action,created,release,tarball}.prove.ts"],
        },
      },
      {
        extends: true,
        test: { name: "llama", include: ["packages/testing/test/llama*.prove.ts"] },
      },
      {
        extends: true,
        test: { name: "replies", include: ["packages/testing/test/hostileReplies.prove.ts"] },
      },
      {
        extends: true,
        test: {
          name: "owners",
          include: ["packages/store-sqlite/test/*.prove.ts", "packages/cli/test/poisoned.prove.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "mcp",
          include: ["packages/cli/test/mcp*.prove.ts", "packages/mcp/test/*.prove.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "commands",
          isolate: false,
          globalSetup: [new URL("bundleOnce.ts", import.meta.url).pathname],
          include: [
            "packages/cli/test/{flags,foreignSends,guideFaults,guideSwaps,ownClone}.prove.ts",
          ],
        },
      },
      {
        extends: true,
        test: { name: "metrics", include: ["packages/cli/test/metrics.prove.ts"] },
      },
      {
        extends: true,
        test: { name: "pictures", include: ["packages/testing/test/pictures.prove.ts"] },
      },
      {
        extends: true,
        plugins: [newestSdks],
        test: {
          name: "sdks",
          isolate: false,
          include: [
            "packages/provider-{anthropic,google,openai}/{src,test}/**/*.test.ts",
            "packages/testing/test/{providers,providerErrors,*OnWire}.test.ts",
            "packages/provider-openai/src/newestSdk.prove.ts",
          ],
        },
      },
      {
        extends: true,
        test: { name: "promises", include: ["packages/validators/test/*.prove.ts"] },
      },
      {
        extends: true,
        test: { name: "questions", include: ["packages/documents/test/*.prove.ts"] },
      },
      {
        extends: true,
        test: { name: "growthbook", include: ["packages/hooks/test/growthbook.prove.ts"] },
      },
      {
        extends: true,
        test: {
          name: "properties",
          include: properties,
          setupFiles: [new URL("seed.ts", import.meta.url).pathname],
        },
      },
    ],
  },
})
