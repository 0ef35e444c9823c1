/** Runs the real command as a child process, as a shell would. */
import { spawn } from "node:child_process"
import { join } from "node:path"

const bin = join(import.meta.dirname, "../src/bin.ts")
export const fixture = join(import.meta.dirname, "fixture")

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Options {
  readonly cwd?: string
  readonly input?: string
  readonly env?: { readonly [name: string]: string }
  /** Interrupts the process as soon as its standard output matches. */
  readonly interruptAt?: RegExp
}

/** Colours and terminals of whoever runs the tests must not reach the child. */
const plain = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(FORCE_COLOR|NO_COLOR|NODE_OPTIONS|VITEST)/.test(name),
  ),
)

export const planloom = (args: ReadonlyArray<string>, options: Options = {}): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], {
      cwd: options.cwd ?? fixture,
      env: { ...plain, ...options.env },
    })
    let stdout = ""
    let stderr = ""
    let interrupted = false
    child.stdout.on("data", (data: Buffer) => {
      stdout += data.toString()
      if (interrupted || options.interruptAt?.test(stdout) !== true) return
      interrupted = true
      child.kill("SIGINT")
    })
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()))
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, stdout, stderr }))
    child.stdin.end(options.input ?? "")
  })

/** The lines of standard output as JSON. */
export const lines = ({ stdout }: Outcome): ReadonlyArray<{ readonly [key: string]: unknown }> =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly [key: string]: unknown })
