/** Chat channel for a person at a terminal: a prompt, with answers below it. */
import type { Json, JsonObject, Part, RunEvent, SessionTurn, Wait } from "@planloom/plugin/effect"
import type { RunResult } from "@planloom/core"
import { correctionText, type Corrected } from "../run/correctionText.ts"
import { StreamedOutputs } from "../run/StreamedOutputs.ts"
import { turnsText } from "../sessions/showSession.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { Spinner } from "../terminal/Spinner.ts"
import { answerOf } from "./answerOf.ts"
import { answerPrompt, questionText } from "./questionText.ts"
import type { ChatChannel } from "./ChatChannel.ts"
import { PromptLine } from "./PromptLine.ts"
import { actionText, degradedTurnText, noteLines, outputsText, unfinishedText } from "./turnText.ts"
import { ShownNotes } from "./ShownNotes.ts"

/** A second Ctrl-C at the prompt within this time leaves the chat. */
const DOUBLE_INTERRUPT_MS = 2000

export class TerminalChannel implements ChatChannel {
  private readonly yes: boolean
  /** Names of the outputs that are streamed. */
  private readonly replies: ReadonlySet<string>
  private readonly prompt: PromptLine
  private readonly spinner = new Spinner(stderr)
  private cancel: (() => void) | undefined
  private interrupted = -Infinity
  /** The outputs of the turn have left; what follows is written above the prompt. */
  private isReviewed = false
  /** The output that stands right above the prompt, with the columns of the screen when it was written. */
  private last:
    | { readonly name: string; readonly rows: number; readonly columns: number }
    | undefined
  private shownOutputs = new Set<string>()
  private streamed = this.streamedOutputs()
  private readonly notes = new ShownNotes()
  /** Reasons for missing models that were already printed. */
  private readonly reasons = new Set<string>()

  constructor(options: {
    readonly yes: boolean
    readonly history: ReadonlyArray<string>
    readonly replies: ReadonlySet<string>
  }) {
    this.yes = options.yes
    this.replies = options.replies
    this.prompt = new PromptLine({
      history: options.history,
      onInterrupt: () => this.interrupt(),
      onEnd: () => this.cancel?.(),
    })
  }

  private interrupt(): void {
    const { cancel, prompt } = this
    const now = performance.now()
    const twice = now - this.interrupted < DOUBLE_INTERRUPT_MS
    this.interrupted = now
    if (cancel !== undefined && !prompt.isReading && !twice) return cancel()
    if (prompt.text !== "" && cancel === undefined) return prompt.clear()
    if (twice) return prompt.close()
    if (cancel !== undefined) return cancel()
    this.aside(stderr.style.dim("press Ctrl-C again to leave; /help lists commands"))
  }

  next(): Promise<string | undefined> {
    stderr.write("\n")
    return this.prompt.read(`${stderr.style.name("›")} `)
  }

  async ask(wait: Wait, signal: AbortSignal): Promise<Json | undefined> {
    if (wait.kind === "approval" && this.yes) return { approved: true }
    this.streamed.interrupt()
    this.spinner.pause()
    say(questionText(wait, stderr.style, textWidth(stderr)))
    try {
      for (;;) {
        const line = await this.prompt.read(answerPrompt(wait), signal)
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
    this.isReviewed = false
    this.shownOutputs = new Set()
    this.streamed = this.streamedOutputs()
    this.spinner.start()
  }

  review(): void {
    this.isReviewed = true
    this.cancel = undefined
    this.streamed.stop()
    this.spinner.pause()
  }

  hold(cancel: () => void): void {
    this.cancel = () => {
      this.cancel = undefined
      this.spinner.pause()
      say(stderr.style.dim("  the message is not sent"))
      cancel()
    }
    this.spinner.start("waiting for the reviews of the last reply")
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
    if (!stdout.live) return undefined
    return (part) => {
      // A correction is shown as a whole, by its event.
      if (!this.isReviewed) this.streamed.onPart(part)
    }
  }

  onEvent(event: RunEvent): void {
    this.spinner.onEvent(event)
    if (event.type === "OutputReady") {
      const { name, value } = event
      const text = this.textOf({ [name]: value })
      if (!this.streamed.has(name)) {
        this.show({ [name]: value })
        this.shownOutputs.add(name)
      }
      this.last = { name, rows: text.split("\n").length, columns: stdout.columns() }
      return
    }
    if (event.type === "OutputCorrected") return this.correct(event)
    if (this.notes.has(event)) return
    const width = textWidth(stderr) - 2
    const action = actionText(event, stderr.style, width)
    const lines = [
      ...(action === undefined ? [] : [action]),
      ...noteLines(event, stderr.style, width),
    ]
    if (lines.length > 0) this.write(() => say(indented(lines.join("\n"))))
  }

  /** A text that is void is removed from the screen if nothing but the prompt stands below it. */
  private correct(event: Corrected): void {
    const { action, name, text } = event
    const { last } = this
    const isVoid = action === "retract" || action === "replace"
    const isLast = isVoid && last?.name === name && last.columns === stdout.columns()
    const isShown = text === undefined || (!this.isReviewed && this.streamed.has(name))
    this.write(
      () => {
        say(`  ${correctionText(event, stderr.style)}`)
        if (!isShown) print(indented(this.textOf({ [name]: text })))
      },
      isLast && stdout.live ? last.rows : 0,
    )
    this.shownOutputs.add(name)
  }

  end(result: RunResult): void {
    this.cancel = undefined
    this.streamed.stop()
    this.spinner.pause()
    this.show(this.streamed.rest(result.outputs))
    const width = textWidth(stderr) - 2
    const unfinished = unfinishedText(result, stderr.style, width)
    if (unfinished !== undefined) this.write(() => say(indented(unfinished)))
    const degraded = degradedTurnText(result, this.reasons, stderr.style, width)
    if (degraded !== undefined) this.write(() => say(indented(degraded)))
  }

  private show(outputs: JsonObject): void {
    const text = this.textOf(outputs, this.shownOutputs)
    if (text !== "") this.write(() => print(indented(text)))
  }

  private textOf(outputs: JsonObject, shown: ReadonlySet<string> = new Set()): string {
    return outputsText(outputs, shown, this.replies, {
      style: stdout.style,
      width: textWidth(stdout) - 2,
    })
  }

  /** Writes other output while a turn runs, or while the user types: then over `up` rows above the prompt. */
  private write(write: () => void, up = 0): void {
    this.last = undefined
    if (this.prompt.isShown) {
      if (!this.isReviewed) return this.prompt.above(write)
      // An empty row stands between a reply and the next message.
      const replace = () => {
        write()
        stderr.write("\n")
      }
      return this.prompt.above(replace, up + 1)
    }
    this.streamed.interrupt()
    this.spinner.aside(write)
  }

  say(text: string): void {
    say(text)
  }

  aside(text: string): void {
    this.write(() => say(text))
  }

  recall(turns: ReadonlyArray<SessionTurn>): void {
    if (turns.length > 0) say(turnsText(turns, stderr.style, textWidth(stderr)).join("\n"))
  }

  close(): void {
    this.spinner.pause()
    this.prompt.close()
  }
}

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, "  ")
