/** Runs the published bundle of the command: in a shared process, or as a shell would where signals, streams or the process matter. */
import { fork, spawn, spawnSync, type ChildProcess } from "node:child_process"
import { mkdtempSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { inject } from "vitest"
import { eachFile } from "../../../../.config/eachFile.ts"
import { rememberTrust } from "../src/trust/trustedFolders.ts"

const cli = join(import.meta.dirname, "..")
export const fixture = join(import.meta.dirname, "fixture")

/** The state folder of the commands that tests start: it trusts this repository, whose fixtures bring plugins. */
const state = mkdtempSync(join(tmpdir(), "planloom-state-"))
await eachFile({
  start: () => rememberTrust(join(cli, "../../.."), state),
  end: () => rm(state, { recursive: true, force: true }),
})

/** For a project of its own, outside the repository or with a `planloom.yaml`, that a test fills with plugins. */
export const trusting = (folder: string): Promise<void> => rememberTrust(folder, state)

/** From source it starts three times slower; one test makes sure that it does start. */
export const sourceBin = join(cli, "src/bin.ts")

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Options {
  readonly cwd?: string
  readonly input?: string
  readonly env?: { readonly [name: string]: string }
  readonly bin?: string
  /** In a process of its own: for what it keeps in memory between commands, or what it reads at its start. */
  readonly alone?: true
  /** Interrupts the process as soon as its standard output, or what it says besides, matches. */
  readonly interruptAt?: RegExp
  /** Interrupts it when this resolves. */
  readonly interruptAfter?: Promise<void>
  /** What it is interrupted with; SIGINT unless given. */
  readonly signal?: NodeJS.Signals
  /** A file for its standard output, and for its standard error; read unless given. */
  readonly stdoutTo?: number
  readonly stderrTo?: number
  /** Closes the reading end of its standard output as soon as that matches; of an empty text at once. */
  readonly closeAt?: RegExp
}

/** Colours, terminals and trust of whoever runs the tests must not reach the child. */
export const childEnvironment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(FORCE_COLOR|NO_COLOR|NODE_OPTIONS|VITEST)/.test(name),
    ),
  ),
  PLANLOOM_STATE_DIR: state,
}

/** For all files of the worker; it ends with the worker. */
let host: Promise<ChildProcess> | undefined
let isHostBusy = false

const hostStarted = (): Promise<ChildProcess> =>
  (host ??= new Promise((resolve, reject) => {
    const bin = inject("commandBin")
    const main = join(dirname(bin), "main.js")
    const child = fork(join(import.meta.dirname, "commandHost.mjs"), [main, bin], {
      cwd: fixture,
      env: childEnvironment,
      execArgv: [],
      // Pipes, as a command that is read has them; what it prints comes with its outcome.
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    })
    child.stdout?.resume()
    child.stderr?.resume()
    child.once("error", reject)
    child.once("message", () => resolve(child))
  }))

/** Runs a command in the shared process; undefined while that is at work on another one. */
const inHost = (args: ReadonlyArray<string>, options: Options): Promise<Outcome> | undefined => {
  if (isHostBusy) return undefined
  isHostBusy = true
  return (async () => {
    const child = await hostStarted()
    try {
      return await new Promise<Outcome>((resolve, reject) => {
        const died = (code: number | null) => {
          host = undefined
          reject(new Error(`the shared process ended with ${code} during ${args.join(" ")}`))
        }
        child.once("exit", died)
        child.once("message", (outcome) => {
          child.off("exit", died)
          resolve(outcome as Outcome)
        })
        const env = { ...childEnvironment, ...options.env }
        child.send({ args, cwd: options.cwd ?? fixture, env, text: options.input ?? "" })
      })
    } finally {
      isHostBusy = false
    }
  })()
}

/** What only a process of its own can show. */
const needsProcess = (options: Options): boolean =>
  Object.keys(options).some((key) => !["cwd", "input", "env"].includes(key)) ||
  Object.keys(options.env ?? {}).some((name) => /^(FORCE_COLOR|NO_COLOR|NODE_|TERM)/.test(name))

export const planloom = async (
  args: ReadonlyArray<string>,
  options: Options = {},
): Promise<Outcome> =>
  (needsProcess(options) ? undefined : inHost(args, options)) ?? inProcess(args, options)

const inProcess = async (args: ReadonlyArray<string>, options: Options): Promise<Outcome> => {
  const bin = options.bin ?? inject("commandBin")
  return await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], {
      cwd: options.cwd ?? fixture,
      env: { ...childEnvironment, ...options.env },
      stdio: ["pipe", options.stdoutTo ?? "pipe", options.stderrTo ?? "pipe"],
    })
    let stdout = ""
    let stderr = ""
    const closeAt = () => {
      if (options.closeAt?.test(stdout) === true) child.stdout?.destroy()
    }
    closeAt()
    let interrupted = false
    const interruptAt = (said: string) => {
      if (interrupted || options.interruptAt?.test(said) !== true) return
      interrupted = true
      child.kill(options.signal ?? "SIGINT")
    }
    child.stdout?.on("data", (data: Buffer) => {
      interruptAt((stdout += data.toString()))
      closeAt()
    })
    child.stderr?.on("data", (data: Buffer) => interruptAt((stderr += data.toString())))
    void options.interruptAfter?.then(() => child.kill(options.signal ?? "SIGINT"))
    child.on("error", reject)
    // A command that refuses its arguments ends before it reads standard input.
    child.stdin!.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") reject(error)
    })
    child.on("close", (code) => resolve({ code, stdout, stderr }))
    child.stdin!.end(options.input ?? "")
  })
}

/** A command may end before it reads what a test types; what it showed then lacks the rest. */
const ignoreEnded = (error: NodeJS.ErrnoException): void => {
  if (error.code !== "EPIPE") throw error
}

const scriptMissing = spawnSync("script", ["--version"]).error

/** Why there is no terminal for `inTerminal`; undefined where there is one. */
export const noTerminal = scriptMissing === undefined ? undefined : `no terminal: ${scriptMissing}`

/** What to type, or to do, once a terminal has shown what matches since the step before. */
export interface TerminalStep {
  readonly at: RegExp
  readonly answer: string | (() => unknown)
}

interface InTerminal {
  readonly cwd: string
  readonly env?: { readonly [name: string]: string }
}

/**
 * Starts the command in a terminal of its own, and types an answer, or does something else, when it shows what matches.
 * Gives what it showed.
 */
export const answeredInTerminal = (
  args: ReadonlyArray<string>,
  { answer, at, ...where }: TerminalStep & InTerminal,
): Promise<string> => steppedInTerminal(args, [{ answer, at }], where)

/** Starts the command in a terminal of its own, and takes the steps in order. Gives what it showed. */
export const steppedInTerminal = async (
  args: ReadonlyArray<string>,
  steps: ReadonlyArray<TerminalStep>,
  { cwd, env }: InTerminal,
): Promise<string> => {
  const command = [process.execPath, inject("commandBin"), ...args]
    .map((arg) => `'${arg}'`)
    .join(" ")
  const terminal = spawn("script", ["-qfc", command, "/dev/null"], {
    cwd,
    env: { ...childEnvironment, ...env },
  })
  terminal.stdin.on("error", ignoreEnded)
  let shown = ""
  let from = 0
  const left = [...steps]
  terminal.stdout.on("data", (data: Buffer) => {
    shown += data.toString()
    const [step] = left
    if (step === undefined || !step.at.test(shown.slice(from))) return
    left.shift()
    from = shown.length
    if (typeof step.answer === "string") terminal.stdin.write(step.answer)
    else step.answer()
  })
  return await new Promise((resolve) => terminal.on("close", () => resolve(shown)))
}

/** Starts the command in a terminal of its own, and closes the terminal as soon as it shows what matches. */
export const inTerminal = async (
  args: ReadonlyArray<string>,
  { closeAt, cwd }: { readonly closeAt: RegExp; readonly cwd: string },
): Promise<void> => {
  const command = [process.execPath, inject("commandBin"), ...args]
    .map((arg) => `'${arg}'`)
    .join(" ")
  const terminal = spawn("script", ["-qfc", command, "/dev/null"], { cwd, env: childEnvironment })
  let shown = ""
  terminal.stdout.on("data", (data: Buffer) => {
    shown += data.toString()
    if (closeAt.test(shown)) terminal.kill("SIGKILL")
  })
  await new Promise<void>((resolve, reject) => {
    terminal.on("close", (code) => {
      if (code === null) resolve()
      else reject(new Error(`ended with ${code} after ${shown}`))
    })
  })
}

export interface Started {
  /** Resolves when its standard output matches. */
  readonly saw: (pattern: RegExp) => Promise<void>
  /** Its standard output so far. */
  readonly stdout: () => string
  readonly stderr: () => string
  readonly write: (text: string) => void
  readonly kill: (signal: NodeJS.Signals) => void
  readonly ended: Promise<number | null>
}

/** Starts the command, for a test that acts while it runs. */
export const start = async (
  args: ReadonlyArray<string>,
  { cwd = fixture, env }: Options = {},
): Promise<Started> => {
  const child = spawn(process.execPath, [inject("commandBin"), ...args], {
    cwd,
    env: { ...childEnvironment, ...env },
  })
  let stdout = ""
  let stderr = ""
  child.stdin.on("error", ignoreEnded)
  child.stderr.on("data", (data: Buffer) => (stderr += data.toString()))
  let look = () => {}
  child.stdout.on("data", (data: Buffer) => {
    stdout += data.toString()
    look()
  })
  const ended = new Promise<number | null>((over) => child.on("close", (code) => over(code)))
  return {
    ended,
    kill: (signal) => child.kill(signal),
    stdout: () => stdout,
    stderr: () => stderr,
    write: (text) => child.stdin.write(text),
    saw: (pattern) =>
      new Promise((resolve, reject) => {
        look = () => {
          if (pattern.test(stdout)) resolve()
        }
        look()
        void ended.then((code) => reject(new Error(`ended with ${code} after ${stdout}`)))
      }),
  }
}

/** The lines of standard output as JSON. */
export const lines = ({ stdout }: Outcome): ReadonlyArray<{ readonly [key: string]: unknown }> =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly [key: string]: unknown })

export interface Server {
  readonly url: string
  readonly pid: number
  /** What it has said so far. */
  readonly stderr: () => string
  /** Its exit code, when it has ended by itself or by a signal. */
  readonly ended: Promise<number | null>
  /** Sends a signal and waits for the end; gives the exit code. */
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>
}

/** Starts `planloom serve` at a free port and waits until it listens. */
export const serve = async (
  args: ReadonlyArray<string>,
  { bin: given, cwd = fixture, env }: Options = {},
): Promise<Server> => {
  const bin = given ?? inject("commandBin")
  return await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, "serve", "--port", "0", ...args], {
      cwd,
      env: { ...childEnvironment, ...env },
    })
    let stdout = ""
    let stderr = ""
    const ended = new Promise<number | null>((over) => child.on("close", (code) => over(code)))
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()))
    child.on("error", reject)
    // A command that refuses its arguments ends before it reads standard input.
    child.stdin.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") reject(error)
    })
    void ended.then((code) => reject(new Error(`ended with ${code}: ${stderr}`)))
    child.stdout.on("data", (data: Buffer) => {
      stdout += data.toString()
      if (!stdout.endsWith("\n")) return
      resolve({
        url: stdout.trim(),
        pid: child.pid!,
        ended,
        stderr: () => stderr,
        stop: (signal) => {
          child.kill(signal)
          return ended
        },
      })
    })
  })
}
