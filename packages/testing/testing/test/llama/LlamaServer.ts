/** llama.cpp's server as a process: `llama-server` of the PATH or of `PLANLOOM_LLAMA_SERVER`, with the model of a test or of `PLANLOOM_LLAMA_MODEL`. */
import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chatTemplates } from "./chatTemplates.ts"
import { writeTinyModel, type TinyModel } from "./tinyModel.ts"

const command = process.env["PLANLOOM_LLAMA_SERVER"] || "llama-server"
/** A model of the user's own, whose replies are not known. */
export const ownModel: string | undefined = process.env["PLANLOOM_LLAMA_MODEL"] || undefined

/** Why there is no server to test; undefined if there is one. */
export const missing: string | undefined = (() => {
  const { error, status, stderr } = spawnSync(command, ["--version"], { encoding: "utf8" })
  if (error !== undefined)
    return `${command} cannot be started (${error.message}); install llama.cpp or set PLANLOOM_LLAMA_SERVER`
  return status === 0 ? undefined : `${command} --version failed: ${stderr.trim().slice(0, 300)}`
})()

export interface LlamaOptions {
  readonly model?: TinyModel
  readonly template?: keyof typeof chatTemplates
  /** Tokens of context of each slot; 65,536 unless given. */
  readonly context?: number
  readonly slots?: number
  /** Further arguments of the command. */
  readonly args?: ReadonlyArray<string>
}

export interface LlamaServer {
  readonly url: string
  /** Resolves once a slot works on a reply. */
  readonly working: () => Promise<void>
  /** Resolves once the server has cancelled a reply and released its slot. */
  readonly cancelled: () => Promise<void>
  /** Ends the process at once, as a crash would. */
  readonly kill: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

const CONTEXT = 65_536
/** The server looks for closed connections once a second. */
const MAX_LOG_WAIT_MS = 10_000

/** What a server writes to its log, awaited line by line: requests for its state would hold up its look for closed connections. */
class ServerLog {
  private text = ""
  private readonly waiting = new Set<() => void>()

  push(data: Buffer): void {
    this.text += data.toString()
    for (const look of this.waiting) look()
  }

  /** The last characters. */
  get end(): string {
    return this.text.slice(-2000)
  }

  /** Resolves with the match once there is one. */
  has(wanted: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(look)
        reject(new Error(`no ${wanted} within ${MAX_LOG_WAIT_MS} ms in:\n${this.end}`))
      }, MAX_LOG_WAIT_MS)
      const look = () => {
        const found = wanted.exec(this.text)
        if (found === null) return
        clearTimeout(timer)
        this.waiting.delete(look)
        resolve(found)
      }
      this.waiting.add(look)
      look()
    })
  }
}

export const llamaServer = async (options: LlamaOptions = {}): Promise<LlamaServer> => {
  const {
    args = [],
    context = CONTEXT,
    model = { word: "find", prefers: "s" },
    slots = 1,
  } = options
  const folder = mkdtempSync(join(tmpdir(), "planloom-llama-"))
  const path = join(folder, "tiny.gguf")
  if (ownModel === undefined) writeTinyModel(path, model)
  const template = join(folder, "template.jinja")
  if (options.template !== undefined) writeFileSync(template, chatTemplates[options.template])
  const address = ["--host", "127.0.0.1", "--port", "0", "--jinja"]
  const sizes = ["--ctx-size", String(context * slots), "--parallel", String(slots)]
  const child = spawn(command, [
    "--model",
    ownModel ?? path,
    ...address,
    ...sizes,
    ...(options.template === undefined ? [] : ["--chat-template-file", template]),
    ...args,
  ])
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()))
  const log = new ServerLog()
  child.stdout.on("data", (data: Buffer) => log.push(data))
  child.stderr.on("data", (data: Buffer) => log.push(data))
  const failed = ended.then(() => Promise.reject(new Error(`${command} ended:\n${log.end}`)))
  const [, url = ""] = await Promise.race([log.has(/listening on (http:\/\/[\d.:]+)/), failed])
  failed.catch(() => undefined)
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    url,
    working: async () => void (await log.has(/launch_slot/)),
    cancelled: async () => void (await log.has(/cancel task[^]*stop processing/)),
    kill: () => stop("SIGKILL"),
    [Symbol.asyncDispose]: () => stop("SIGTERM"),
  }
}
