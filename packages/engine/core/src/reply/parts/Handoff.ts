/** Hands texts over one by one: the writer continues when its reader asks for the next one. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type { Pull } from "effect/Pull"

type Texts = readonly [string, ...Array<string>]

export class Handoff<E> {
  private text: string | undefined
  private writer: (() => void) | undefined
  private reader: ((texts: Effect.Effect<Texts, E | Cause.Done>) => void) | undefined
  private ended: Effect.Effect<never, E | Cause.Done> | undefined

  /** Ends when the reader is done with the text. */
  write(text: string): Effect.Effect<void> {
    return Effect.callback((resume) => {
      this.writer = () => resume(Effect.void)
      const { reader } = this
      if (reader === undefined) this.text = text
      else {
        this.reader = undefined
        reader(Effect.succeed([text]))
      }
    })
  }

  /** Nothing is written any more. */
  end(exit: Exit.Exit<unknown, E>): void {
    this.ended = exit._tag === "Failure" ? Effect.failCause(exit.cause) : Cause.done()
    if (this.text === undefined) this.reader?.(this.ended)
  }

  readonly read: Pull<Texts, E> = Effect.callback<Texts, E | Cause.Done>((resume) => {
    const { text } = this
    if (text !== undefined) {
      this.text = undefined
      resume(Effect.succeed([text]))
      return
    }
    if (this.ended !== undefined) {
      resume(this.ended)
      return
    }
    this.reader = resume
    const { writer } = this
    this.writer = undefined
    writer?.()
    return Effect.sync(() => {
      this.reader = undefined
    })
  })
}
