/** One call on its way to its tool: whether it reached it, and what became of it. */
import * as Exit from "effect/Exit"
import {
  toFailureRecord,
  type FailureRecord,
  type Json,
  type ToolFailed,
} from "@planloom/plugin/effect"
import type { RegisteredTool } from "@planloom/language"
import type { CallIdentity } from "./callIdentity.ts"
import type { MadeCall } from "./MadeCalls.ts"
import type { StageCalls } from "./StageCalls.ts"
import { isObject } from "@planloom/schema"
import { writes } from "./writes.ts"

export class Making {
  readonly identity: CallIdentity
  /** Set once the call, or the one that answers it, is known to have reached the tool. */
  isMade = false
  /** Its record is asked: nothing else is against the call. */
  isStarted = false
  /** The record did not have it. */
  isLive = false
  /** The call that answers it. */
  from: "made" | undefined = undefined
  private readonly registered: RegisteredTool
  private readonly calls: StageCalls
  private readonly name: string
  private began: number | undefined
  private isSteady = true

  constructor(identity: CallIdentity, registered: RegisteredTool, calls: StageCalls, name: string) {
    this.identity = identity
    this.registered = registered
    this.calls = calls
    this.name = name
  }

  /** Name of its record; undefined if its path and key are enough to know it. */
  get call(): string | undefined {
    const { attemptPath, path } = this.calls.given
    return attemptPath === path ? undefined : this.name
  }

  /** The tool is called now. */
  reach(): void {
    const { run } = this.calls.given
    this.isSteady = !run.isChanging(this.source)
    this.began = run.begin(this.source, this.writes)
  }

  /** The call has ended; `isReplay`: a cassette answers calls in place of the tools. */
  end(exit: Exit.Exit<Json, ToolFailed>, isReplay: boolean): void {
    const { run } = this.calls.given
    const { identity, isStarted, isLive, name, source, writes: isWrite } = this
    const isReached = this.began !== undefined
    // A call that is answered from its record has an unknown place among the others.
    const isSteady =
      isReached || isReplay || isWrite
        ? this.isSteady
        : this.calls.known(this.registered.tool.name)?.canChange !== true
    if (!isReached && !Exit.isSuccess(exit) && (!isStarted || isLive || isRefusal(exit))) return
    if (!isReached) this.began = run.begin(source, isWrite)
    if (isWrite) run.changed(source)
    const outcome = outcomeOf(exit, isWrite)
    if (outcome === undefined) return
    this.isMade = true
    this.calls.add(
      {
        key: identity.key,
        source,
        writes: isWrite,
        name,
        path: this.calls.given.path,
        attempt: this.calls,
        began: this.began!,
        isSteady,
        ...outcome,
      },
      this.registered.tool,
    )
  }

  private get source(): string {
    return this.registered.source?.id ?? ""
  }

  private get writes(): boolean {
    return writes(this.registered.tool)
  }
}

/** Whether a condition of the tool was against the call. */
const isRefusal = (exit: Exit.Failure<Json, ToolFailed>): boolean =>
  exit.cause.reasons.some(
    (reason) =>
      reason._tag === "Fail" && isObject(reason.error.detail) && "requires" in reason.error.detail,
  )

/** Undefined for a read that was broken off, which changed nothing. */
const outcomeOf = (
  exit: Exit.Exit<Json, ToolFailed>,
  isWrite: boolean,
): Pick<MadeCall, "failure" | "result"> | undefined => {
  if (Exit.isSuccess(exit)) return { failure: undefined, result: exit.value }
  for (const reason of exit.cause.reasons) {
    if (reason._tag === "Fail") {
      return { failure: toFailureRecord(reason.error), result: undefined }
    }
    if (reason._tag === "Die") {
      const { defect } = reason
      const message = defect instanceof Error ? defect.message : String(defect)
      return { failure: { class: "internal", message }, result: undefined }
    }
  }
  return isWrite ? { failure: brokenOff, result: undefined } : undefined
}

const brokenOff: FailureRecord = {
  class: "tool_error",
  message: "the call was broken off, and may have changed what it was to change",
}
