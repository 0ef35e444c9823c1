/** That packages wait on Effect's clock, which a test can advance, and name each exception. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

const root = join(import.meta.dirname, "../../../..")

/** Timers of Node by file, with their number and the reason why the clock of a run does not fit. */
const allowed: { readonly [file: string]: readonly [count: number, reason: string] } = {
  "packages/hosts/cli/src/chat/PromptLine.ts": [1, "joins lines of one read from a terminal"],
  "packages/hosts/cli/src/eval/ProgressLine.ts": [1, "redraws a terminal; stops without waiting"],
  "packages/hosts/cli/src/mcp/serveWorkflows.ts": [
    1,
    "limits the last writes to a pipe that nothing reads",
  ],
  "packages/hosts/cli/src/progress/LiveView.ts": [1, "redraws a terminal; stops without waiting"],
  "packages/hosts/cli/src/terminal/Spinner.ts": [1, "redraws a terminal; stops without waiting"],
  "packages/hosts/cli/src/terminal/activity.ts": [1, "draws a line after a second of silence"],
  "packages/hosts/cli/src/runCommandLine.ts": [
    2,
    "keeps the process alive; reports a slow end of it",
  ],
  "packages/hosts/mcp-server/src/PendingCalls.ts": [
    1,
    "lets the transport write answers before it closes",
  ],
  "packages/hosts/mcp-server/src/followRun.ts": [
    1,
    "turns a request of a client into a task while it waits",
  ],
  "packages/components/mcp/src/connection/StdioTransport.ts": [
    1,
    "limits the end of a real process",
  ],
  "packages/engine/record/src/watchdog/watchLoop.ts": [
    2,
    "watches the real event loop from a thread",
  ],
  "packages/engine/record/src/watchdog/watchdog.ts": [1, "beats while the event loop turns"],
  "packages/stores/store-sqlite/src/owner/CancelWatch.ts": [
    1,
    "polls a file without keeping the process alive",
  ],
  "packages/stores/store-sqlite/src/owner/Ownership.ts": [
    2,
    "real heartbeats, which must not keep it alive",
  ],
  "packages/stores/store-sqlite/src/Recorder.ts": [
    2,
    "bounds the loss by a crash of the real process",
  ],
  "packages/testing/testing/src/conformance/providerSuite.ts": [
    1,
    "lets promises of a provider settle",
  ],
  "packages/testing/testing/src/conformance/toolSourceSuite.ts": [
    1,
    "lets promises of a tool settle",
  ],
  "packages/domains/tools-data/src/duckdb/query.ts": [
    1,
    "interrupts a native library that drops requests",
  ],
  "packages/components/documents/src/read/ReaderThread.ts": [
    2,
    "limits a worker thread that runs in real time",
  ],
}

const timer = /(?<![\w.])(?:setTimeout|setInterval|setImmediate)\(/g

it("packages wait on Effect's clock, except where a timer is listed with its reason", () => {
  const files = execFileSync("git", ["ls-files", "packages/*/src/*.ts"], {
    cwd: root,
    encoding: "utf8",
  })
  const found = files
    .trimEnd()
    .split("\n")
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) => {
      const count = readFileSync(join(root, file), "utf8").match(timer)?.length ?? 0
      return count === 0 ? [] : [[file, count] as const]
    })
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(allowed).map(([file, [count]]) => [file, count])),
  )
})

it("packages do not wait for turns of a scheduler", () => {
  const found = execFileSync("git", ["ls-files", "packages/*/src/*.ts"], {
    cwd: root,
    encoding: "utf8",
  })
    .trimEnd()
    .split("\n")
    .filter((file) => !file.endsWith(".test.ts"))
    .filter((file) => readFileSync(join(root, file), "utf8").includes("Effect.yieldNow"))
  // A conformance suite is a test: it starts work that a store has to interrupt.
  expect(found).toEqual(["packages/testing/testing/src/conformance/journalSuite.ts"])
})
