/** Prompts of a run, one after another, and what was recorded instead of what was typed. */
import type { Json, RunEvent, Wait } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { RunOptions } from "@planloom/core"
import { oneLine } from "../terminal/text.ts"

export type AnswerNow = NonNullable<RunOptions["answer"]>

/** Returns undefined without an answer. Stops asking when `signal` aborts. */
export type Ask = (wait: Wait, signal: AbortSignal) => Json | undefined | Promise<Json | undefined>

export class Prompts {
  private readonly ask: Ask
  /** Questions of parallel stages are asked one after another. */
  private readonly turn = Semaphore.makeUnsafe(1)
  /** What was typed for each question that was shown, as JSON; undefined before that. */
  private readonly typed = new Map<string, string | undefined>()

  constructor(ask: Ask) {
    this.ask = ask
  }

  readonly answer: AnswerNow = (wait) =>
    this.turn.withPermits(1)(
      Effect.promise(async (signal) => {
        this.typed.set(wait.name, undefined)
        const value = await this.ask(wait, signal)
        if (value !== undefined) this.typed.set(wait.name, JSON.stringify(value))
        return value
      }),
    )

  /** Describes the answer that counts for a question that was shown, unless it was typed here. */
  overruled(event: RunEvent): string | undefined {
    if (event.type !== "Answered" || !this.typed.has(event.name)) return undefined
    const typed = this.typed.get(event.name)
    this.typed.delete(event.name)
    const value = JSON.stringify(event.value)
    if (event.by === "person" && typed === value) return undefined
    const what =
      event.by === "expired"
        ? "the question has expired"
        : event.by === "default"
          ? `the question has expired; its default counts: ${value}`
          : `answered elsewhere by ${event.by}: ${value}`
    return oneLine(typed === undefined ? what : `your answer came too late; ${what}`)
  }
}
