/** Runs checks in lanes, prints one line for each check, and counts what passed and what failed in a last line. */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { performance } from "node:perf_hooks"

const root = join(import.meta.dirname, "..")

export interface Gate {
  readonly name: string
  readonly command: readonly [string, ...ReadonlyArray<string>]
  readonly env?: { readonly [name: string]: string }
  /** A gate of tests: vitest writes a report, whose tests are counted. */
  readonly isTests?: true
  /** Prints what the command printed also when it passed: figures. */
  readonly shows?: true
}

/** A gate of tests by vitest, with further arguments for it. */
export const tests = (
  name: string,
  args: ReadonlyArray<string>,
  env: { readonly [name: string]: string } = {},
): Gate => ({
  name,
  env,
  isTests: true,
  command: ["vitest", "run", ...args],
})

/** Runs a command with the workspace's tools first on the path, and a folder for its temporary files; resolves with all it printed. */
const execute = (gate: Gate, report: string, temporary: string) =>
  new Promise<{ readonly ok: boolean; readonly output: string }>((resolve) => {
    const path = `${join(root, "node_modules/.bin")}${delimiter}${process.env["PATH"] ?? ""}`
    const [command, ...args] = gate.command
    const reporting =
      gate.isTests === true
        ? ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
        : []
    const child = spawn(command, [...args, ...reporting], {
      cwd: root,
      env: {
        // What Node compiled outlives the folder.
        NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache"),
        ...process.env,
        TMPDIR: temporary,
        ...gate.env,
        PATH: path,
      },
    })
    let output = ""
    child.stdout.on("data", (data: Buffer) => (output += data.toString()))
    child.stderr.on("data", (data: Buffer) => (output += data.toString()))
    child.on("error", (error) => resolve({ ok: false, output: String(error) }))
    child.on("close", (code) => resolve({ ok: code === 0, output }))
  })

/** Tests passed and failed by vitest's own report; zero when it ended before it wrote one. */
const count = (report: string) => {
  try {
    const read = JSON.parse(readFileSync(report, "utf8")) as Record<string, number>
    return { passed: read["numPassedTests"] ?? 0, failed: read["numFailedTests"] ?? 0 }
  } catch {
    return { passed: 0, failed: 0 }
  }
}

/** Runs all gates, also after one has failed, and sets the exit code. Lanes run at the same time, the gates of a lane one after the other. */
export const runGates = async (...lanes: ReadonlyArray<ReadonlyArray<Gate>>): Promise<void> => {
  const scratch = mkdtempSync(join(tmpdir(), "planloom-gates-"))
  let passed = 0
  let failed = 0
  const runGate = async (gate: Gate) => {
    const report = join(scratch, `${gate.name}.json`)
    const start = performance.now()
    const { ok, output } = await execute(gate, report, scratch)
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    const counted = count(report)
    passed += counted.passed + (ok ? 1 : 0)
    failed += counted.failed + (ok ? 0 : 1)
    const sum = gate.isTests === true ? `  ${counted.passed} passed, ${counted.failed} failed` : ""
    console.log(`${ok ? "✓" : "✗"} ${gate.name.padEnd(10)}${seconds.padStart(7)} s${sum}`)
    if (!ok || gate.shows === true) console.log(output)
  }
  await Promise.all(
    lanes.map(async (gates) => {
      for (const gate of gates) await runGate(gate)
    }),
  )
  // A process that a test has killed may still be writing.
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}
