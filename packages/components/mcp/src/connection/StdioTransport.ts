/** Speaks to a server by its standard input and output, one JSON message a line. */
import type { ChildProcessWithoutNullStreams } from "node:child_process"
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client"
import { isObject, type Json } from "@planloom/schema"
import { cleanLine } from "@planloom/plugin/clean"
import { LineReader, LineTooLong } from "./LineReader.ts"
import { signalChild, startChild, type ChildOptions } from "./startChild.ts"

/** Output of a server that is not a message. */
export interface Noise {
  readonly kind: "noise"
  readonly text: string
}

export interface StdioOptions extends ChildOptions {
  readonly maxMessageBytes: number
  readonly onNoise: (noise: Noise) => void
}

/** Time for a server to end once its input has ended, and again after SIGTERM. */
const END_MS = 1500
const TERM_MS = 500

/** Characters of standard error that are kept, for the reason of a failure. */
const KEPT_STDERR = 4000
const SHOWN_STDERR = 400
const SHOWN_NOISE = 200
const MAX_NOISES = 20

const BYTE_ORDER_MARK = "\uFEFF"

export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: NonNullable<Transport["onmessage"]>
  private readonly options: StdioOptions
  private readonly lines: LineReader
  private child: ChildProcessWithoutNullStreams | undefined
  private ended: Promise<void> = Promise.resolve()
  private errors = ""
  /** The reason why the connection ended, if the server did not close it in the usual way. */
  private reason: string | undefined
  private isTooLong = false
  private noises = 0

  constructor(options: StdioOptions) {
    this.options = options
    this.lines = new LineReader(options.maxMessageBytes)
  }

  /** By these two the SDK knows a server that it speaks to by streams. */
  get pid(): number | undefined {
    return this.child?.pid
  }

  get stderr(): string {
    return this.errors
  }

  /** Whether the server has ended, or was never started. */
  get hasEnded(): boolean {
    return this.child === undefined || this.isTooLong
  }

  /** Whether it was closed because of a message over the limit. */
  get wasTooLong(): boolean {
    return this.isTooLong
  }

  start(): Promise<void> {
    const child = startChild(this.options)
    this.child = child
    child.stdout.on("data", (chunk: Buffer) => this.read(chunk))
    child.stderr.on("data", (chunk: Buffer) => {
      this.errors = (this.errors + chunk.toString()).slice(-KEPT_STDERR)
    })
    // Its end is reported by `close`.
    child.stdin.on("error", () => {})
    const started = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    this.ended = ended.promise
    const end = (reason: string) => {
      this.child = undefined
      this.reason ??= reason
      ended.resolve()
    }
    child.once("spawn", started.resolve)
    child.once("error", (error: NodeJS.ErrnoException) => {
      end(spawnProblem(this.options, error))
      started.reject(error)
    })
    child.once("close", (code, signal) => {
      end(code === null ? `it was ended by ${signal}` : `it ended with exit code ${code}`)
      this.onclose?.()
    })
    return started.promise
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { child } = this
    if (child === undefined) return Promise.reject(new Error(this.endReason()))
    return new Promise((resolve, reject) => {
      child.stdin.write(`${JSON.stringify(message)}\n`, (error) =>
        error == null ? resolve() : reject(error),
      )
    })
  }

  async close(): Promise<void> {
    const { child } = this
    if (child === undefined) return this.ended
    child.stdin.end()
    if (await this.endsWithin(END_MS)) return
    signalChild(child, "SIGTERM")
    if (await this.endsWithin(TERM_MS)) return
    signalChild(child, "SIGKILL")
    await this.ended
  }

  /** The end of the connection in words, with the last lines that the server wrote to standard error. */
  endReason(): string {
    const said = this.errors
      .split("\n")
      .map((line) => cleanLine(line, SHOWN_STDERR))
      .filter((line) => line !== "")
      .slice(-4)
      .join(" | ")
      .slice(-SHOWN_STDERR)
    return `${this.reason ?? "its output ended"}${said === "" ? "" : `: ${said}`}`
  }

  private async endsWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, ms, false)
    })
    const ended = await Promise.race([this.ended.then(() => true), late])
    clearTimeout(timer)
    return ended
  }

  private read(chunk: Buffer): void {
    let lines: ReadonlyArray<string>
    try {
      lines = this.lines.read(chunk)
    } catch (error) {
      if (!(error instanceof LineTooLong)) throw error
      this.isTooLong = true
      this.reason = `it sent a message larger than ${this.options.maxMessageBytes} bytes (max_message_bytes)`
      this.end()
      return
    }
    for (const line of lines) this.readLine(line.endsWith("\r") ? line.slice(0, -1) : line)
  }

  /** Kills the server: its further output belongs to no message. */
  private end(): void {
    const { child } = this
    if (child === undefined) return
    child.stdout.removeAllListeners("data")
    child.stdout.resume()
    signalChild(child, "SIGKILL")
  }

  private readLine(line: string): void {
    let text = line
    if (text.startsWith(BYTE_ORDER_MARK)) {
      text = text.slice(1)
      this.noise("a byte order mark before a message, which is left out")
    }
    if (text.trim() === "") return
    const message = messageOf(text)
    if (message === undefined)
      this.noise(`a line that is no message: ${cleanLine(text, SHOWN_NOISE)}`)
    else this.onmessage?.(message)
  }

  /** A server may write any number of lines. */
  private noise(text: string): void {
    if (this.noises++ < MAX_NOISES) this.options.onNoise({ kind: "noise", text })
  }
}

/** Undefined for a text that is no JSON-RPC message. What it holds is checked by its receiver. */
const messageOf = (text: string): JSONRPCMessage | undefined => {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(message as Json)) return undefined
  const { error, id, jsonrpc, method, result } = message as { readonly [key: string]: Json }
  const isAnswer = id !== undefined && (isObject(result) || isObject(error))
  return jsonrpc === "2.0" && (typeof method === "string" || isAnswer)
    ? (message as JSONRPCMessage)
    : undefined
}

const spawnProblem = (
  { command, cwd }: StdioOptions,
  { code, message }: NodeJS.ErrnoException,
): string =>
  code === "ENOENT"
    ? `there is no program "${command}", or no folder ${cwd}`
    : `"${command}" cannot be started: ${code ?? message}`
