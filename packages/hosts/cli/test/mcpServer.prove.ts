/** The conformance suite of the Model Context Protocol against `planloom serve`, with workflows of the names that the suite wants. */
import { execFile } from "node:child_process"
import { cp, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify, stripVTControlCharacters } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import { installOnce } from "../../../../.ci/installOnce.ts"
import { serve, sourceBin, type Server } from "./planloom.ts"

const checks = join(import.meta.dirname, "../../../../checks/mcp")
const suite = join(checks, "node_modules/@modelcontextprotocol/conformance/dist/index.js")
const run = promisify(execFile)

/** Scenarios of each part that no list of expected failures may ever name, and others of which it may name checks. */
const parts: ReadonlyArray<
  readonly [part: string, options: string, required: string, partly: string]
> = [
  [
    "2025-11-25",
    "--suite all --spec-version 2025-11-25",
    "server-initialize server-session-lifecycle ping tools-list tools-call-simple-text tools-call-error tools-call-with-progress tools-call-elicitation elicitation-sep1034-defaults dns-rebinding-protection",
    "json-schema-2020-12",
  ],
  [
    "2026-07-28",
    "--suite all --spec-version 2026-07-28",
    "tools-list tools-call-simple-text tools-call-error tools-call-with-progress sep-2164-resource-not-found dns-rebinding-protection http-header-validation input-required-result-basic-elicitation input-required-result-request-state input-required-result-multi-round input-required-result-tampered-state input-required-result-validate-input",
    "json-schema-2020-12 server-stateless caching",
  ],
  ...[
    "tasks-lifecycle",
    "tasks-capability-negotiation",
    "tasks-wire-fields",
    "tasks-request-state-removal",
    "tasks-mrtr-input",
    "tasks-request-headers",
    "tasks-dispatch-and-envelope",
    "tasks-required-task-error",
    "tasks-mrtr-composition",
  ].map((name) => [name, `--scenario ${name}`, "", ""] as const),
]

let cwd: string
let server: Server

beforeAll(async () => {
  installOnce(checks)
  cwd = await mkdtemp(join(tmpdir(), "planloom-conformance-"))
  await cp(join(checks, "fixture"), cwd, { recursive: true })
  server = await serve([], { cwd, bin: sourceBin })
})

afterAll(async () => {
  await server.stop("SIGKILL")
  await rm(cwd, { recursive: true, force: true })
})

it.each(parts)(
  "passes %s but for the expected failures",
  async (part, options, required, partly) => {
    const baseline = join(checks, "expected-failures.yaml")
    const { stdout } = await run(
      process.execPath,
      [
        ...`${suite} server --url ${server.url}/mcp --expected-failures ${baseline}`.split(" "),
        ...options.split(" "),
      ],
      { maxBuffer: 2 ** 26 },
    ).catch((error: { readonly stdout: string }) => {
      throw new Error(plainText(error.stdout))
    })
    const text = plainText(stdout)
    console.log(`${part}: ${/^(?:Total|Passed): .*$/m.exec(text)?.[0]}`)
    for (const scenario of required.split(" ").filter((name) => name !== "")) {
      expect(text).toMatch(new RegExp(`^✓ ${scenario}: [1-9]\\d* passed, 0 failed`, "m"))
    }
    for (const scenario of partly.split(" ").filter((name) => name !== "")) {
      expect(text).toMatch(new RegExp(`^\\S ${scenario}: [1-9]\\d* passed`, "m"))
      console.log(new RegExp(`^\\S ${scenario}: .*$`, "m").exec(text)?.[0])
    }
  },
)

const plainText = (text: string): string =>
  stripVTControlCharacters(text).replace(/^[\s\S]*=== SUMMARY ===/, "")
