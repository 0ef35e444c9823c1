/** One call on its way to its tool: whether it reached it, and what became of it. */
import * as Exit from "effect/Exit"
import {
  toFailureRecord,
  type FailureRecord,
  type Json,
  type ToolFailed,
} from "@planloom/plugin/effect"
import type { RegisteredTool } from "@planloom/language"
import type { CallIdentity } from "./identity/CallIdentity.ts"
import type { MadeCall } from "./identity/MadeCalls.ts"
import type { StageCalls } from "./identity/StageCalls.ts"
import { isObject } from "@planloom/schema"
import { writes } from "./writes.ts"

export class Making implements MadeCall {
  readonly identity: CallIdentity
  readonly name = undefined
  /** Set once the call, or the one that answers it, is known to have reached the tool. */
  isMade = false
  /** Its record is asked: nothing else is against the call. */
  isStarted = false
  /** The record did not have it. */
  isLive = false
  /** The call that answers it. */
  from: "made" | undefined = undefined
  /** Zero until it reaches the tool. */
  began = 0
  isSteady = true
  failure: FailureRecord | undefined = undefined
  result: Json | undefined = undefined
  private readonly registered: RegisteredTool
  private readonly calls: StageCalls

  constructor(identity: CallIdentity, registered: RegisteredTool, calls: StageCalls) {
    this.identity = identity
    this.registered = registered
    this.calls = calls
  }

  get attempt(): StageCalls {
    return this.calls
  }

  get path(): string {
    return this.calls.given.path
  }

  get source(): string {
    return this.registered.source?.id ?? ""
  }

  /** Whether the call changes something outside the run. */
  get writes(): boolean {
    return writes(this.registered.tool)
  }

  /** Whether path and key are not enough to know the name of its record. */
  get needsName(): boolean {
    const { attemptPath, path } = this.calls.given
    return attemptPath !== path
  }

  /** The tool is called now. */
  reach(): void {
    const { run } = this.calls.given
    this.isSteady = !run.isChanging(this.source)
    this.began = run.begin(this.source, this.writes)
  }

  /**
   * The call has ended; `isReplay`: a cassette answers calls in place of the tools. Of a read that is broken off nothing
   * needs to be known, and of a call that another one has answered its end is.
   */
  end(exit: Exit.Exit<Json, ToolFailed>, isReplay: boolean): void {
    if (this.isMade) return
    const { run } = this.calls.given
    const { isLive, isStarted, writes: isWrite } = this
    if (this.began === 0) {
      if (!Exit.isSuccess(exit) && (!isStarted || isLive || isRefusal(exit))) return
      // A call that is answered from its record has an unknown place among the others.
      if (!isReplay && !isWrite) {
        this.isSteady = this.calls.known(this.registered.tool.name)?.canChange !== true
      }
      this.began = run.begin(this.source, isWrite)
    }
    if (isWrite) run.changed(this.source)
    if (Exit.isSuccess(exit)) this.result = exit.value
    else {
      const failure = failureOf(exit, isWrite)
      if (failure === "none") return
      this.failure = failure
    }
    this.isMade = true
    this.calls.add(this, this.registered.tool)
  }
}

/** Whether a condition of the tool was against the call. */
const isRefusal = (exit: Exit.Failure<Json, ToolFailed>): boolean =>
  exit.cause.reasons.some(
    (reason) =>
      reason._tag === "Fail" && isObject(reason.error.detail) && "requires" in reason.error.detail,
  )

/** Of a read that was broken off none, because it changed nothing. */
const failureOf = (
  { cause }: Exit.Failure<Json, ToolFailed>,
  isWrite: boolean,
): FailureRecord | "none" => {
  for (const reason of cause.reasons) {
    if (reason._tag === "Fail") return toFailureRecord(reason.error)
    if (reason._tag === "Die") {
      const { defect } = reason
      const message = defect instanceof Error ? defect.message : String(defect)
      return { class: "internal", message }
    }
  }
  return isWrite ? brokenOff : "none"
}

const brokenOff: FailureRecord = {
  class: "tool_error",
  message: "the call was broken off, and may have changed what it was to change",
}
