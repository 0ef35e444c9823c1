/** Chat channel for scripts: one message per line of standard input, answers on standard output. */
import { createInterface } from "node:readline"
import type { Json, Part, RunEvent, Wait } from "@planloom/plugin/effect"
import type { RunResult } from "@planloom/core"
import { correctionText } from "../run/correctionText.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { answerOf } from "./answerOf.ts"
import { questionText } from "./questionText.ts"
import type { ChatChannel } from "./ChatChannel.ts"
import { ShownNotes } from "./ShownNotes.ts"
import { degradedTurnText, noteLines, outputsText, unfinishedText } from "./turnText.ts"

export class PipeChannel implements ChatChannel {
  private readonly json: boolean
  private readonly yes: boolean
  /** Names of the outputs that are streamed. */
  private readonly replies: ReadonlySet<string>
  private readonly reader = createInterface({ input: process.stdin })
  private readonly lines = this.reader[Symbol.asyncIterator]()
  /** A line that was read for a question answered elsewhere; it becomes the next message. */
  private held: string | undefined
  private shownOutputs = new Set<string>()
  private readonly notes = new ShownNotes()
  /** Reasons for missing models that were already printed. */
  private readonly reasons = new Set<string>()

  constructor(options: {
    readonly json: boolean
    readonly yes: boolean
    readonly replies: ReadonlySet<string>
  }) {
    this.json = options.json
    this.replies = options.replies
    this.yes = options.yes
  }

  async next(): Promise<string | undefined> {
    const { held } = this
    this.held = undefined
    if (held !== undefined) return held
    const { done, value } = await this.lines.next()
    return done === true ? undefined : value
  }

  /** Takes lines until one is an answer; undefined at the end of input. */
  async ask(wait: Wait, signal: AbortSignal): Promise<Json | undefined> {
    if (wait.kind === "approval" && this.yes) return { approved: true }
    for (;;) {
      if (!this.json) say(questionText(wait, stderr.style, textWidth(stderr)))
      const line = await this.next()
      if (line === undefined) return undefined
      if (signal.aborted) {
        this.held = line
        return undefined
      }
      const read = answerOf(wait, line)
      // The prompt of a terminal says what an empty line means.
      if ("value" in read && line.trim() !== "") return read.value
      const problem = "value" in read ? "it is empty" : read.problem
      say(stderr.style.warn(`this is not a valid answer: ${problem}`))
    }
  }

  begin(): void {
    this.shownOutputs = new Set()
  }

  get onPart(): ((part: Part) => void) | undefined {
    return this.json ? (part) => print(JSON.stringify({ type: "Part", part })) : undefined
  }

  onEvent(event: RunEvent): void {
    if (this.json) print(JSON.stringify(event))
    else if (event.type === "OutputReady") {
      this.show({ [event.name]: event.value })
      this.shownOutputs.add(event.name)
    } else if (event.type === "OutputCorrected") {
      say(correctionText(event, stderr.style))
      if (event.text === undefined) return
      this.shownOutputs.delete(event.name)
      this.show({ [event.name]: event.text })
      this.shownOutputs.add(event.name)
    } else if (!this.notes.has(event)) {
      for (const line of noteLines(event, stderr.style, textWidth(stderr))) say(line)
    }
  }

  end(result: RunResult): void {
    if (this.json) return print(JSON.stringify({ type: "Result", ...result }))
    this.show(result.outputs)
    const unfinished = unfinishedText(result, stderr.style, textWidth(stderr))
    if (unfinished !== undefined) say(unfinished)
    const degraded = degradedTurnText(result, this.reasons, stderr.style, textWidth(stderr))
    if (degraded !== undefined) say(degraded)
  }

  private show(outputs: RunResult["outputs"]): void {
    const text = outputsText(outputs, this.shownOutputs, this.replies, {
      style: stdout.style,
      width: textWidth(stdout),
    })
    if (text !== "") print(text)
  }

  say(text: string): void {
    say(text)
  }

  aside(text: string): void {
    say(text)
  }

  recall(): void {}

  close(): void {
    this.reader.close()
  }
}
