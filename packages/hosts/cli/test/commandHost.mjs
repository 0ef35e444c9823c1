/**
 * A process that runs one command line after the other, each in its own folder, environment and standard input, and answers what it
 * printed and its exit code. Starting anew costs 0.2 CPU seconds; a test that needs a process of its own spawns one (planloom.ts).
 */
import { Readable } from "node:stream"

const [node, , mainPath, binPath] = process.argv
const emptyEvents = ["SIGHUP", "SIGINT", "SIGTERM", "uncaughtException", "unhandledRejection"]
const listened = new Set(process.eventNames())

/** Standard output and error, by name, as the command writes them. */
let printed = { stdout: "", stderr: "" }
for (const name of ["stdout", "stderr"]) {
  process[name].write = (chunk, encoding, done) => {
    printed[name] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString()
    const written = typeof encoding === "function" ? encoding : done
    if (written !== undefined) queueMicrotask(() => written(null))
    return true
  }
}

let input
Object.defineProperty(process, "stdin", { configurable: true, get: () => input })

const endProcess = process.exit.bind(process)
let exited = () => {}
process.exit = (code) => exited(code ?? process.exitCode ?? 0)

const setEnvironment = (env) => {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
}

const run = ({ args, cwd, env, text }) =>
  new Promise((resolve) => {
    printed = { stdout: "", stderr: "" }
    process.chdir(cwd)
    setEnvironment(env)
    process.exitCode = undefined
    process.argv = [node, binPath, ...args]
    input = Readable.from(text === "" ? [] : [Buffer.from(text)], { objectMode: false })
    exited = (code) => {
      exited = () => {}
      for (const name of emptyEvents) process.removeAllListeners(name)
      for (const name of process.eventNames()) {
        if (!listened.has(name)) process.removeAllListeners(name)
      }
      resolve({ code: Number(code), ...printed })
    }
    main(args)
  })

const { main } = await import(mainPath)
process.on("message", (command) => {
  void run(command).then((outcome) => process.send(outcome))
})
process.on("disconnect", () => endProcess(0))
listened.add("message").add("disconnect").add("internalMessage")
process.send("ready")
