/** The tool calls of one attempt in the order in which they started: those that run at once end in another order in a replay. */
import type { CallRecord } from "@planloom/plugin/effect"
import type { CallIdentity } from "../../../tool/identity/CallIdentity.ts"
import { CallList, type BuiltRecord } from "../../../tool/identity/CallList.ts"

export class OwnCalls {
  private readonly list = new CallList()
  /** Of each of them, its number among the calls that have started. */
  private readonly numbers: Array<number> = []
  private started = 0

  /** The number of a call that starts. */
  start(): number {
    return this.started++
  }

  /** Those that have ended. */
  get all(): ReadonlyArray<CallRecord> {
    return this.list.all
  }

  end(call: CallRecord, number: number, identity?: CallIdentity): void {
    const { list, numbers } = this
    let at = numbers.length
    while (at > 0 && numbers[at - 1]! > number) at--
    list.insert(at, call, identity)
    if (at === numbers.length) numbers.push(number)
    else numbers.splice(at, 0, number)
  }

  /** Adds to another record of a call what is in this one besides the outcome. */
  complement(record: BuiltRecord): void {
    this.list.complement(record)
  }
}
