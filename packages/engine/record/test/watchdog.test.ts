/** Processes whose event loop stands still: what ends them, what they say, and what does not. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { STALLED_EXIT_CODE } from "../src/watchdog/index.ts"

const LIMIT_MS = 500

const start = (
  way: string,
  {
    limit = LIMIT_MS,
    flags = [],
    env = {},
  }: {
    readonly limit?: number
    readonly flags?: ReadonlyArray<string>
    readonly env?: NodeJS.ProcessEnv
  } = {},
) => {
  const file = join(import.meta.dirname, "standStill.ts")
  const child = spawn(process.execPath, [...flags, file, way, String(limit)], {
    env: { ...process.env, ...env },
  })
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", (data: Buffer) => (stdout += data.toString()))
  child.stderr.on("data", (data: Buffer) => (stderr += data.toString()))
  const over = once(child, "close").then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    stdout,
    stderr,
  }))
  return { child, over }
}

const where = `stage "harm" (acme/harm) of workflow "w"`

describe("the watchdog", { timeout: 60_000, concurrent: true }, () => {
  it.each(["at once", "after a promise", "in a pattern"])(
    "ends a process whose loop stands still %s, and names run, stage, component and line",
    async (way) => {
      const { code, stderr, stdout } = await start(way).over
      assert.strictEqual(code, STALLED_EXIT_CODE, stderr)
      assert.include(stdout, `r: ${where} kept the event loop from turning for `)
      assert.match(
        stderr,
        /^planloom: stage "harm" \(acme\/harm\) of workflow "w" has kept the event loop from turning for \d+(s\d+)?m?s, run r, at \S+standStill\.ts:\d+; the process ends\n$/,
      )
    },
  )

  it("ends a process that code of no run holds, and blames no run", async () => {
    const { code, stderr, stdout } = await start("after a promise", { env: { NO_RUN: "1" } }).over
    assert.strictEqual(code, STALLED_EXIT_CODE, stderr)
    assert.match(stdout, /^no run: code of no run kept/)
  })

  it("kills a process that stands still in native code, and names the runs under way", async () => {
    const { signal, stderr, stdout } = await start("in native code").over
    assert.strictEqual(signal, "SIGKILL")
    assert.strictEqual(stdout, "")
    assert.match(stderr, /cannot be interrupted; the process ends\. Runs under way: r\n$/)
  })

  it("blames a run whose code ends the process", async () => {
    const { code, stdout } = await start("by its end").over
    assert.strictEqual(code, 9)
    assert.include(stdout, `r: ${where} ended the process with exit code 9`)
  })

  it("spares a process whose loop turns again before the second look", async () => {
    const { code, stderr, stdout } = await start("shortly", { limit: 3000 }).over
    assert.deepStrictEqual([code, stdout], [0, "done\n"], stderr)
  })

  it("spares a process whose long native call ends, such as a write to a slow disk", async () => {
    const { code, stderr, stdout } = await start("in a write", { limit: 2000 }).over
    assert.deepStrictEqual([code, stdout], [0, "done\n"], stderr)
  })

  it("spares a process that a debugger may hold", async () => {
    const { code, stderr, stdout } = await start("long", { flags: ["--inspect=127.0.0.1:0"] }).over
    assert.deepStrictEqual([code, stdout], [0, "done\n"], stderr)
  })

  it("spares a process that was stopped for longer than the limit", async () => {
    const { child, over } = start("until a line comes", { limit: 2000 })
    await once(child.stdout, "data")
    child.kill("SIGSTOP")
    // The time in which it is stopped is what is tested.
    for (const until = performance.now() + 6000; performance.now() < until;) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    child.kill("SIGCONT")
    child.stdin.write("go\n")
    const { code, stderr, stdout } = await over
    assert.deepStrictEqual([code, stdout], [0, "ready\ndone\n"], stderr)
  })
})
