/** The long tests of `pnpm prove`: installs of the packed tarballs, and every property with more cases. */
import { globSync, readFileSync } from "node:fs"
import { defineConfig } from "vitest/config"
import { newestSdks } from "./newestSdks.ts"
import { ownState } from "./ownState.ts"

const root = new URL("..", import.meta.url).pathname
const MINUTES = 60_000

/** Test files whose number of cases grows in the long run. */
const properties = globSync(["packages/*/*/{src,test}/**/*.test.ts", "examples/**/*.test.ts"], {
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
          include: ["packages/hosts/cli/test/{action,created,release,tarball}.prove.ts"],
        },
      },
      {
        extends: true,
        test: { name: "llama", include: ["packages/testing/testing/test/llama*.prove.ts"] },
      },
      {
        extends: true,
        test: {
          name: "replies",
          include: ["packages/testing/testing/test/hostileReplies.prove.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "owners",
          include: [
            "packages/stores/store-sqlite/test/*.prove.ts",
            "packages/hosts/cli/test/poisoned.prove.ts",
          ],
        },
      },
      {
        extends: true,
        test: {
          name: "mcp",
          include: [
            "packages/hosts/cli/test/mcp*.prove.ts",
            "packages/components/mcp/test/*.prove.ts",
          ],
        },
      },
      {
        extends: true,
        test: {
          name: "commands",
          isolate: false,
          globalSetup: [new URL("bundleOnce.ts", import.meta.url).pathname],
          include: [
            "packages/hosts/cli/test/{conferenceGuide,flags,foreignSends,guideFaults,guideSwaps,marketScout,ownClone}.prove.ts",
          ],
        },
      },
      {
        extends: true,
        test: { name: "metrics", include: ["packages/hosts/cli/test/metrics.prove.ts"] },
      },
      {
        extends: true,
        test: { name: "pictures", include: ["packages/testing/testing/test/pictures.prove.ts"] },
      },
      {
        extends: true,
        plugins: [newestSdks],
        test: {
          name: "sdks",
          isolate: false,
          include: [
            "packages/providers/provider-{anthropic,google,openai}/{src,test}/**/*.test.ts",
            "packages/testing/testing/test/{providers,providerErrors,*OnWire}.test.ts",
            "packages/providers/provider-openai/src/newestSdk.prove.ts",
          ],
        },
      },
      {
        extends: true,
        test: {
          name: "workflows",
          isolate: false,
          include: [
            "packages/testing/testing/test/artefacts.prove.ts",
            "packages/testing/testing/test/questions/questions.prove.ts",
          ],
        },
      },
      {
        extends: true,
        test: { name: "promises", include: ["packages/components/validators/test/*.prove.ts"] },
      },
      {
        extends: true,
        test: { name: "questions", include: ["packages/components/documents/test/*.prove.ts"] },
      },
      {
        extends: true,
        test: {
          name: "growthbook",
          include: ["packages/components/hooks/test/growthbook.prove.ts"],
        },
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
