/** A conversation with a script: one message per line of standard input, answers to standard output. */
import { createInterface } from "node:readline"
import type { Json, RunEvent, Wait } from "@planloom/plugin"
import type { RunResult } from "@planloom/core"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { answerOf } from "./answerOf.ts"
import { questionText } from "./questionText.ts"
import type { Talk } from "./Talk.ts"
import { outputsText, troubleText, withoutModelText } from "./turnText.ts"

export class PipeTalk implements Talk {
  private readonly json: boolean
  private readonly yes: boolean
  private readonly reader = createInterface({ input: process.stdin })
  private readonly lines = this.reader[Symbol.asyncIterator]()
  /** A line that was read as an answer and is none. */
  private held: string | undefined
  private told = new Set<string>()
  /** Why models did not answer, as far as it was told. */
  private readonly reasons = new Set<string>()

  constructor(options: { readonly json: boolean; readonly yes: boolean }) {
    this.json = options.json
    this.yes = options.yes
  }

  async next(): Promise<string | undefined> {
    const { held } = this
    this.held = undefined
    if (held !== undefined) return held
    const { done, value } = await this.lines.next()
    return done === true ? undefined : value
  }

  /** The next line answers; of an approval only when it is a yes or a no. */
  async ask(wait: Wait): Promise<Json | undefined> {
    if (wait.kind === "approval" && this.yes) return { approved: true }
    if (!this.json) say(questionText(wait, stderr.style, textWidth(stderr)))
    const line = await this.next()
    if (line === undefined) return undefined
    if (wait.kind === "approval" && !/^\s*(y|yes|n|no)\s*$/i.test(line)) {
      this.held = line
      return undefined
    }
    const read = answerOf(wait, line)
    if ("value" in read) return read.value
    say(stderr.style.warn(`that is no answer: ${read.problem}`))
    return undefined
  }

  begin(): void {
    this.told = new Set()
  }

  hear(event: RunEvent): void {
    if (this.json) print(JSON.stringify(event))
    else if (event.type === "OutputReady") {
      this.show({ [event.name]: event.value })
      this.told.add(event.name)
    }
  }

  end(result: RunResult): void {
    if (this.json) return print(JSON.stringify({ type: "Result", ...result }))
    this.show(result.outputs)
    const trouble = troubleText(result, stderr.style, textWidth(stderr))
    if (trouble !== undefined) say(trouble)
    const degraded = withoutModelText(result, this.reasons, stderr.style, textWidth(stderr))
    if (degraded !== undefined) say(degraded)
  }

  private show(outputs: RunResult["outputs"]): void {
    const text = outputsText(outputs, this.told, { style: stdout.style, width: textWidth(stdout) })
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
