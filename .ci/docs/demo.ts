/** Runs commands from source in one process, as `pnpm demo` runs the first workflow. */
import assert from "node:assert/strict"
import { fork, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")
const cli = join(root, "packages/hosts/cli")

/** The arguments that `pnpm demo` gives to the command. */
export const demoArguments = async (): Promise<ReadonlyArray<string>> => {
  const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    readonly scripts: { readonly demo: string }
  }
  const words = scripts.demo.match(/(?:[^\s"]|"[^"]*")+/g) ?? []
  return words.slice(2).map((word) => word.replaceAll('"', ""))
}

interface Printed {
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command from source and returns what it printed to pipes. Throws unless it ends with `code`. */
export type Planloom = (args: ReadonlyArray<string>, cwd: string, code: number) => Promise<Printed>

/** One process for all commands, since each would load the whole command anew. */
export const startHost = async (): Promise<Host> => {
  const sources = ["src/main.ts", "src/bin.ts"].map((path) => join(cli, path))
  const host = fork(join(cli, "test/commandHost.mjs"), sources, {
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  })
  host.stdout?.resume()
  let problem = ""
  host.stderr?.on("data", (data: Buffer) => (problem += data.toString()))
  host.once("exit", (code) => host.emit("error", new Error(`ended with ${code}: ${problem}`)))
  await once(host, "message")
  return {
    planloom: commandsOf(host),
    [Symbol.asyncDispose]: async () => void host.removeAllListeners("exit").kill(),
  }
}

interface Host extends AsyncDisposable {
  readonly planloom: Planloom
}

const commandsOf =
  (host: ChildProcess): Planloom =>
  async (args, cwd, code) => {
    host.send({ args, cwd, env: { ...process.env, FORCE_COLOR: "0" }, text: "" })
    const [ended] = (await once(host, "message")) as [Printed & { readonly code: number }]
    assert.equal(ended.code, code, ended.stderr)
    return ended
  }
