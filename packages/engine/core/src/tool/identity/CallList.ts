/** Records of tool calls, oldest first, which get the identities of their calls when they are read. */
import type { CallRecord } from "@planloom/plugin/effect"
import type { CallIdentity } from "./CallIdentity.ts"
import { identify } from "./identified.ts"

/** A record while it is built. */
export type BuiltRecord = { -readonly [K in keyof CallRecord]: CallRecord[K] }

export class CallList {
  private readonly records: Array<BuiltRecord> = []
  /** Of records that lack them. */
  private readonly identities: Array<CallIdentity | undefined> = []
  /** Records before it lack none. */
  private read = 0

  get all(): ReadonlyArray<CallRecord> {
    for (; this.read < this.records.length; this.read++) {
      const identity = this.identities[this.read]
      if (identity !== undefined) this.records[this.read]!.identity = identity.recorded
      this.identities[this.read] = undefined
    }
    return this.records
  }

  get size(): number {
    return this.records.length
  }

  push(record: CallRecord, identity?: CallIdentity): void {
    this.records.push(record)
    this.identities.push(identity)
  }

  insert(at: number, record: CallRecord, identity: CallIdentity | undefined): void {
    if (at === this.records.length) return this.push(record, identity)
    this.records.splice(at, 0, record)
    this.identities.splice(at, 0, identity)
    this.read = Math.min(this.read, at)
  }

  replace(at: number, record: CallRecord, identity: CallIdentity | undefined): void {
    this.records[at] = record
    this.identities[at] = identity
    this.read = Math.min(this.read, at)
  }

  /** Adds to another record of a call what is in this one besides the outcome. */
  complement(record: BuiltRecord): void {
    const at = this.records.findLastIndex(({ key }) => key === record.key)
    if (at === -1) return
    const identity = this.identities[at]
    const { from, identity: made, repairs } = this.records[at]!
    if (identity !== undefined) identify(record, identity)
    else if (made !== undefined) record.identity = made
    if (from !== undefined) record.from = from
    if (repairs !== undefined) record.repairs = repairs
  }
}
