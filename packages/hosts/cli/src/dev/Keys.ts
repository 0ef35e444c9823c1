/** Single keys of a terminal. Without a terminal there are none. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type { Scope } from "effect/Scope"

const CTRL_C = "\u0003"
const CTRL_D = "\u0004"

export class Keys {
  private readonly pressed: Queue.Queue<string>
  private isReading = false

  private constructor(pressed: Queue.Queue<string>) {
    this.pressed = pressed
  }

  /** Reads keys until the scope closes; reads none for a command that would not take them. */
  static open(takesKeys: boolean): Effect.Effect<Keys, never, Scope> {
    return Effect.gen(function* () {
      const keys = new Keys(yield* Queue.unbounded<string>())
      yield* Effect.addFinalizer(() => Effect.sync(() => keys.stop()))
      if (takesKeys) keys.start()
      return keys
    })
  }

  /** The next key; `q` for Ctrl-C and Ctrl-D, which a terminal in raw mode sends as keys. */
  get next(): Effect.Effect<string> {
    return Queue.take(this.pressed)
  }

  /** Leaves the input to a question. */
  async aside<A>(ask: () => Promise<A>): Promise<A> {
    const { isReading } = this
    this.stop()
    try {
      return await ask()
    } finally {
      if (isReading) this.start()
    }
  }

  private start(): void {
    const { stdin } = process
    if (stdin.isTTY !== true || this.isReading) return
    this.isReading = true
    stdin.setRawMode(true)
    stdin.on("data", this.onData)
    stdin.resume()
  }

  private stop(): void {
    const { stdin } = process
    if (!this.isReading) return
    this.isReading = false
    stdin.off("data", this.onData)
    stdin.setRawMode(false)
    stdin.pause()
  }

  private readonly onData = (data: Buffer): void => {
    for (const key of data.toString()) {
      Queue.offerUnsafe(this.pressed, key === CTRL_C || key === CTRL_D ? "q" : key)
    }
  }
}
