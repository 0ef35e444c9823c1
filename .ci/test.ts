/** Every check there is, one line each; the last line counts what passed and what failed. */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { performance } from "node:perf_hooks"

const root = join(import.meta.dirname, "..")
const scratch = mkdtempSync(join(tmpdir(), "planloom-test-"))

interface Gate {
  readonly name: string
  readonly command: readonly [string, ...ReadonlyArray<string>]
  /** File where vitest writes its results, for a gate that is made of tests. */
  readonly results?: string
}

/** A gate of tests. Arguments of ours (`pnpm test -u`) go to vitest, which is the only one with options. */
const tests = (name: string, ...args: ReadonlyArray<string>): Gate => {
  const results = join(scratch, `${name}.json`)
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${results}`]
  const config = ["--config", ".config/vitest.config.ts"]
  return { name, results, command: ["vitest", "run", ...config, ...reporters, ...args] }
}

const packed = "packages/cli/test/tarball.test.ts"

const gates: ReadonlyArray<Gate> = [
  { name: "format", command: ["oxfmt", "--check"] },
  { name: "lint", command: ["oxlint"] },
  { name: "types", command: ["tsc", "-b", "packages"] },
  { name: "unused", command: ["knip", "-c", ".config/knip.ts"] },
  tests("unit", "--exclude", packed, ...process.argv.slice(2)),
  tests("packed", packed),
]

/** Runs a command with the workspace's tools first on the path, and answers all it printed. */
const run = ([command, ...args]: Gate["command"]) =>
  new Promise<{ readonly ok: boolean; readonly output: string }>((resolve) => {
    const path = `${join(root, "node_modules/.bin")}${delimiter}${process.env["PATH"] ?? ""}`
    const child = spawn(command, args, { cwd: root, env: { ...process.env, PATH: path } })
    let output = ""
    child.stdout.on("data", (data: Buffer) => (output += data.toString()))
    child.stderr.on("data", (data: Buffer) => (output += data.toString()))
    child.on("error", (error) => resolve({ ok: false, output: String(error) }))
    child.on("close", (code) => resolve({ ok: code === 0, output }))
  })

/** How many tests passed and failed, by vitest's own report; nothing when it died before writing one. */
const count = (results: string | undefined) => {
  if (results === undefined) return { passed: 0, failed: 0 }
  try {
    const report = JSON.parse(readFileSync(results, "utf8")) as Record<string, number>
    return { passed: report["numPassedTests"] ?? 0, failed: report["numFailedTests"] ?? 0 }
  } catch {
    return { passed: 0, failed: 0 }
  }
}

let passed = 0
let failed = 0
for (const gate of gates) {
  const start = performance.now()
  const { ok, output } = await run(gate.command)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const counted = count(gate.results)
  passed += counted.passed + (ok ? 1 : 0)
  failed += counted.failed + (ok ? 0 : 1)
  const sum =
    gate.results === undefined ? "" : `  ${counted.passed} passed, ${counted.failed} failed`
  console.log(`${ok ? "✓" : "✗"} ${gate.name.padEnd(8)}${seconds.padStart(6)} s${sum}`)
  if (!ok) console.log(output)
}
rmSync(scratch, { recursive: true, force: true })

console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
