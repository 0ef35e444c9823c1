/** The conformance suite of the Model Context Protocol against `planloom serve`, with workflows of the names that the suite wants. */
import { execFile } from "node:child_process"
import { cp, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify, stripVTControlCharacters } from "node:util"
import { beforeAll, expect, it } from "vitest"
import { installOnce } from "../../../.ci/installOnce.ts"
import { serve, sourceBin } from "./planloom.ts"

const checks = join(import.meta.dirname, "../../../checks/mcp")
const suite = join(checks, "node_modules/@modelcontextprotocol/conformance/dist/index.js")
const run = promisify(execFile)

beforeAll(() => installOnce(checks))

it.each(["2025-11-25", "2026-07-28"])(
  "passes all server scenarios of %s but the expected failures",
  async (revision) => {
    const cwd = await mkdtemp(join(tmpdir(), "planloom-conformance-"))
    await cp(join(checks, "fixture"), cwd, { recursive: true })
    const server = await serve([], { cwd, bin: sourceBin })
    try {
      const baseline = join(checks, "expected-failures.yaml")
      const options = [
        "--suite",
        "all",
        "--spec-version",
        revision,
        "--expected-failures",
        baseline,
      ]
      const { stdout } = await run(
        process.execPath,
        [suite, "server", "--url", `${server.url}/mcp`, ...options],
        { maxBuffer: 2 ** 26 },
      ).catch((error: { readonly stdout: string }) => {
        throw new Error(summaryIn(error.stdout))
      })
      const summary = summaryIn(stdout)
      console.log(`${revision}: ${summary.split("\n").find((line) => line.startsWith("Total"))}`)
      for (const scenario of required[revision]!) {
        expect(summary).toMatch(new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`))
      }
    } finally {
      await server.stop("SIGKILL")
      await rm(cwd, { recursive: true, force: true })
    }
  },
)

/** Scenarios that no list of expected failures may ever name. */
const required: { readonly [revision: string]: ReadonlyArray<string> } = {
  "2025-11-25": [
    "server-initialize",
    "server-session-lifecycle",
    "ping",
    "tools-list",
    "tools-call-simple-text",
    "tools-call-error",
    "tools-call-with-progress",
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "dns-rebinding-protection",
  ],
  "2026-07-28": [
    "tools-list",
    "tools-call-simple-text",
    "tools-call-error",
    "tools-call-with-progress",
    "sep-2164-resource-not-found",
    "dns-rebinding-protection",
    "http-header-validation",
    "input-required-result-basic-elicitation",
    "input-required-result-request-state",
    "input-required-result-multi-round",
    "input-required-result-tampered-state",
    "input-required-result-validate-input",
  ],
}

const summaryIn = (text: string): string =>
  stripVTControlCharacters(text).replace(/^[\s\S]*=== SUMMARY ===/, "")
