/** The line that a person types at a terminal: read at a prompt, and kept while other output is written above it. */
import { createInterface, type Interface } from "node:readline"
import { Writable } from "node:stream"
import { stderr } from "../terminal/Screen.ts"

const CLEAR_BELOW = "\u001b[J"

export class PromptLine {
  private readonly reader: Interface
  /** Lines typed before a prompt was shown. */
  private readonly typed: Array<string> = []
  private pasted: Array<string> = []
  private take: ((line: string | undefined) => void) | undefined
  private isClosed = false
  /** Whether a prompt is on the screen. */
  isShown = false

  constructor(options: {
    readonly history: ReadonlyArray<string>
    readonly onInterrupt: () => void
    /** Called at the end of input if no line is being read. */
    readonly onEnd: () => void
  }) {
    this.reader = createInterface({
      input: process.stdin,
      output: this.output(),
      terminal: true,
      // Newest first.
      history: options.history.toReversed(),
      removeHistoryDuplicates: true,
    })
    this.reader.on("line", (line) => this.line(line))
    this.reader.on("SIGINT", options.onInterrupt)
    this.reader.on("close", () => {
      this.isClosed = true
      // An open question stays open; the session can be continued with it later.
      if (this.take === undefined) options.onEnd()
      else {
        stderr.write("\n")
        this.take(undefined)
      }
    })
  }

  /** Whether a line is being read. */
  get isReading(): boolean {
    return this.take !== undefined
  }

  get text(): string {
    return this.reader.line
  }

  /** Removes what is typed. */
  clear(): void {
    this.reader.write(null, { ctrl: true, name: "e" })
    this.reader.write(null, { ctrl: true, name: "u" })
  }

  /** Returns the next line; undefined at the end of input, or once `signal` aborts. */
  read(prompt: string, signal?: AbortSignal): Promise<string | undefined> {
    if (this.isClosed) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const done = (line: string | undefined) => {
        this.take = undefined
        this.isShown = false
        signal?.removeEventListener("abort", abort)
        resolve(line)
      }
      const abort = () => {
        stderr.write("\n")
        done(undefined)
      }
      signal?.addEventListener("abort", abort)
      this.isShown = true
      this.reader.setPrompt(prompt)
      const ahead = this.typed.shift()
      if (ahead !== undefined) {
        stderr.write(`${prompt}${ahead}\n`)
        return done(ahead)
      }
      this.take = done
      this.reader.prompt(true)
    })
  }

  /** Writes whole lines above the prompt, `up` of them over what stands there; what is typed stays. */
  above(write: () => void, up = 0): void {
    // Of the cursor: the text may take several rows.
    const { rows } = this.reader.getCursorPos()
    // Rows that have scrolled away stay.
    const back = rows + up < stderr.rows() ? rows + up : rows
    stderr.write(`${back === 0 ? "" : `\u001b[${back}A`}\r${CLEAR_BELOW}`)
    write()
    // The reader draws the prompt that many rows further up: those of the cursor when it last drew all of it.
    const { prevRows = 0 } = this.reader as { readonly prevRows?: number }
    stderr.write("\n".repeat(prevRows))
    this.reader.prompt(true)
  }

  close(): void {
    this.reader.close()
  }

  /** Echoes typed text only while a prompt is shown; text typed earlier appears at the next prompt. */
  private output(): NodeJS.WritableStream {
    const output = new Writable({
      write: (chunk: Buffer, _, done) => {
        if (this.isShown) stderr.write(chunk.toString())
        done()
      },
    })
    Object.defineProperty(output, "columns", { get: () => stderr.columns() })
    process.stderr.on("resize", () => output.emit("resize"))
    return output
  }

  /** Joins lines that arrive together into one message, because they were pasted. */
  private line(line: string): void {
    this.pasted.push(line)
    if (this.pasted.length > 1) return
    setImmediate(() => {
      const text = this.pasted.join("\n")
      this.pasted = []
      if (this.take === undefined) this.typed.push(text)
      else this.take(text)
    })
  }
}
