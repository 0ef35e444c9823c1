/** Chat channel for a person at a terminal: a prompt, with answers below it. */
import { createInterface, type Interface } from "node:readline"
import { Writable } from "node:stream"
import type { Json, JsonObject, Part, RunEvent, SessionTurn, Wait } from "@planloom/plugin/effect"
import type { RunResult } from "@planloom/core"
import { correctionText } from "../run/correctionText.ts"
import { StreamedOutputs } from "../run/StreamedOutputs.ts"
import { turnsText } from "../sessions/showSession.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { answerOf } from "./answerOf.ts"
import { answerPrompt, questionText } from "./questionText.ts"
import type { ChatChannel } from "./ChatChannel.ts"
import { actionText, outputsText, unfinishedText, withoutModelText } from "./turnText.ts"
import { Spinner } from "./Spinner.ts"

/** A second Ctrl-C at the prompt within this time leaves the chat. */
const DOUBLE_INTERRUPT_MS = 2000

export class TerminalChannel implements ChatChannel {
  private readonly yes: boolean
  private readonly reader: Interface
  private readonly spinner = new Spinner(stderr)
  /** Lines typed before a prompt was shown. */
  private readonly typed: Array<string> = []
  private pasted: Array<string> = []
  private take: ((line: string | undefined) => void) | undefined
  private shown = false
  private closed = false
  private cancel: (() => void) | undefined
  private interrupted = -Infinity
  private shownOutputs = new Set<string>()
  private streamed = this.streamedOutputs()
  /** Reasons for missing models that were already printed. */
  private readonly reasons = new Set<string>()

  constructor(options: { readonly yes: boolean; readonly history: ReadonlyArray<string> }) {
    this.yes = options.yes
    this.reader = createInterface({
      input: process.stdin,
      output: this.output(),
      terminal: true,
      // Newest first.
      history: options.history.toReversed(),
      removeHistoryDuplicates: true,
    })
    this.reader.on("line", (line) => this.line(line))
    this.reader.on("SIGINT", () => this.interrupt())
    this.reader.on("close", () => {
      this.closed = true
      // An open question stays open; the session can be continued with it later.
      if (this.take === undefined) this.cancel?.()
      else {
        stderr.write("\n")
        this.take(undefined)
      }
    })
  }

  /** Echoes typed text only while a prompt is shown; text typed earlier appears at the next prompt. */
  private output(): NodeJS.WritableStream {
    const output = new Writable({
      write: (chunk: Buffer, _, done) => {
        if (this.shown) stderr.write(chunk.toString())
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

  private interrupt(): void {
    const now = performance.now()
    const twice = now - this.interrupted < DOUBLE_INTERRUPT_MS
    this.interrupted = now
    if (this.cancel !== undefined && this.take === undefined && !twice) return this.cancel()
    if (this.reader.line !== "" && this.cancel === undefined) {
      this.reader.write(null, { ctrl: true, name: "e" })
      this.reader.write(null, { ctrl: true, name: "u" })
      return
    }
    if (twice) return this.reader.close()
    if (this.cancel !== undefined) return this.cancel()
    this.aside(stderr.style.dim("press Ctrl-C again to leave; /help lists commands"))
  }

  private read(prompt: string, signal?: AbortSignal): Promise<string | undefined> {
    if (this.closed) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const done = (line: string | undefined) => {
        this.take = undefined
        this.shown = false
        signal?.removeEventListener("abort", abort)
        resolve(line)
      }
      const abort = () => {
        stderr.write("\n")
        done(undefined)
      }
      signal?.addEventListener("abort", abort)
      this.shown = true
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

  next(): Promise<string | undefined> {
    stderr.write("\n")
    return this.read(`${stderr.style.name("›")} `)
  }

  async ask(wait: Wait, signal: AbortSignal): Promise<Json | undefined> {
    if (wait.kind === "approval" && this.yes) return { approved: true }
    this.streamed.interrupt()
    this.spinner.pause()
    say(questionText(wait, stderr.style, textWidth(stderr)))
    try {
      for (;;) {
        const line = await this.read(answerPrompt(wait), signal)
        if (line === undefined) return undefined
        const read = answerOf(wait, line)
        if ("value" in read) return read.value
        say(`  ${stderr.style.warn(read.problem)}`)
      }
    } finally {
      if (this.cancel !== undefined && !this.streamed.isWriting) this.spinner.resume()
    }
  }

  begin(cancel: () => void): void {
    this.cancel = cancel
    this.shownOutputs = new Set()
    this.streamed = this.streamedOutputs()
    this.spinner.start()
  }

  private streamedOutputs(): StreamedOutputs {
    return new StreamedOutputs({
      screen: stdout,
      indent: "  ",
      width: () => textWidth(stdout) - 2,
      hide: () => this.spinner.pause(),
      show: () => this.spinner.resume(),
      note: (text) => say(`  ${stderr.style.dim(text)}`),
    })
  }

  /** Text can be drawn in place only on a terminal. */
  get onPart(): ((part: Part) => void) | undefined {
    return stdout.live ? (part) => this.streamed.onPart(part) : undefined
  }

  onEvent(event: RunEvent): void {
    this.spinner.onEvent(event)
    if (event.type === "OutputReady") {
      if (this.streamed.has(event.name)) return
      this.show({ [event.name]: event.value })
      this.shownOutputs.add(event.name)
      return
    }
    if (event.type === "OutputCorrected") {
      this.aboveSpinner(() => say(`  ${correctionText(event, stderr.style)}`))
      if (event.text === undefined || this.streamed.has(event.name)) return
      this.shownOutputs.delete(event.name)
      this.show({ [event.name]: event.text })
      this.shownOutputs.add(event.name)
      return
    }
    const action = actionText(event, stderr.style, textWidth(stderr) - 2)
    if (action !== undefined) this.aboveSpinner(() => say(`  ${action}`))
  }

  end(result: RunResult): void {
    this.cancel = undefined
    this.streamed.stop()
    this.spinner.pause()
    this.show(this.streamed.rest(result.outputs))
    const width = textWidth(stderr) - 2
    const unfinished = unfinishedText(result, stderr.style, width)
    if (unfinished !== undefined) say(indented(unfinished))
    const degraded = withoutModelText(result, this.reasons, stderr.style, width)
    if (degraded !== undefined) say(indented(degraded))
  }

  private show(outputs: JsonObject): void {
    const text = outputsText(outputs, this.shownOutputs, {
      style: stdout.style,
      width: textWidth(stdout) - 2,
    })
    if (text !== "") this.aboveSpinner(() => print(indented(text)))
  }

  /** Writes other output while a turn runs. */
  private aboveSpinner(write: () => void): void {
    this.streamed.interrupt()
    this.spinner.aside(write)
  }

  say(text: string): void {
    say(text)
  }

  aside(text: string): void {
    if (!this.shown) return this.aboveSpinner(() => say(text))
    stderr.write(`\r\u001b[K${text}\n`)
    this.reader.prompt(true)
  }

  recall(turns: ReadonlyArray<SessionTurn>): void {
    if (turns.length > 0) say(turnsText(turns, stderr.style, textWidth(stderr)).join("\n"))
  }

  close(): void {
    this.spinner.pause()
    this.reader.close()
  }
}

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, "  ")
