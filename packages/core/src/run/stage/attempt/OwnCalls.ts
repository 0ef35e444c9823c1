/** The tool calls of one attempt in the order in which they started: those that run at once end in another order in a replay. */
import type { CallRecord } from "@planloom/plugin/effect"

export class OwnCalls {
  /** Those that have ended. Grows in place. */
  readonly all: Array<CallRecord> = []
  /** Of each of them, its number among the calls that have started. */
  private readonly numbers: Array<number> = []
  private started = 0

  /** The number of a call that starts. */
  start(): number {
    return this.started++
  }

  end(call: CallRecord, number: number): void {
    const { all, numbers } = this
    let at = all.length
    while (at > 0 && numbers[at - 1]! > number) at--
    all.splice(at, 0, call)
    numbers.splice(at, 0, number)
  }
}
