/** Folds the events of a run into its result, so that a replay yields the same result. */
import { isVoid, reasonOf } from "@planloom/plugin/effect"
import { isMadeCall } from "@planloom/plugin/facts"
import type { JsonObject, RunEvent, RunStatus, Wait } from "@planloom/plugin/effect"
import { dollars, requestsOf } from "@planloom/plugin/facts"
import { isPathWithin } from "@planloom/plugin/segments"
import type {
  Degradation,
  ReplyCounts,
  RunNote,
  RunResult,
  RunUsage,
  StageResult,
} from "./RunResult.ts"

/** The result of a stage; while it is under way, `ms` is when it started. */
type StageEntry = { -readonly [K in keyof StageResult]: StageResult[K] }

/** What an event says, with its number. */
interface Emitted<A> {
  readonly seq: number
  readonly said: A
  /** The failure that a fallback followed: a reset inside the fallback leaves it. */
  readonly before?: StageEntry | undefined
}

type StageEnd = Extract<RunEvent, { readonly type: "StageFinished" | "StageFailed" }>

/** Folds one event at a time, in the order of their sequence numbers. */
export class RunFold {
  private run = ""
  private workflow = ""
  private status: RunStatus = "running"
  private outputs: JsonObject = {}
  private failure: RunResult["failure"]
  /** By name. */
  private waits: Map<string, Wait> | undefined
  private degraded: Array<Emitted<Degradation>> = []
  /** By what they say: a loop or a list may repeat one. */
  private notes: Map<string, Emitted<RunNote>> | undefined
  /** By path, in the order of their start. An entry that has ended is not changed any more. */
  private readonly stages: { [path: string]: StageEntry } = {}
  /** At least as many as stages are under way. */
  private open = 0
  private readonly usage: { -readonly [K in keyof RunUsage]: RunUsage[K] } = {
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    cost: 0,
    modelCalls: 0,
    toolCalls: 0,
  }
  private replies: { -readonly [rung in keyof ReplyCounts]: number } | undefined
  private startedAt = 0
  private finishedAt: number | undefined

  push(event: RunEvent): void {
    switch (event.type) {
      case "RunStarted":
        this.run = event.run
        this.workflow = event.workflow
        this.startedAt = event.at
        return
      case "RunResumed":
        this.status = "running"
        this.failure = undefined
        this.finishedAt = undefined
        return
      case "RunForked":
        this.startedAt = event.at
        return
      case "RunReset":
      case "RunMigrated":
        this.reset(event)
        return
      case "StageStarted":
        this.start(event.path, event.stage, event.at)
        return
      case "StageSkipped":
        this.stages[event.path] = { stage: event.stage, outcome: "skipped", attempts: 0 }
        return
      case "StageFinished": {
        const entry = this.end(event)
        entry.outcome = "success"
        entry.attempts = event.attempts
        entry.output = event.output
        if (event.strategy !== undefined) entry.strategy = event.strategy
        return
      }
      case "StageFailed": {
        const { attempts, failure, onError, path, stage } = event
        const { ms } = this.end(event)
        const entry: StageEntry = { stage, outcome: "failure", attempts, failure, ms: ms! }
        this.stages[path] = entry
        if (onError !== "fail") {
          const said = { path, reason: reasonOf(failure), after: onError }
          this.degrade(event, said, onError === "fallback" ? entry : undefined)
        }
        return
      }
      case "LoopEnded":
        if (event.failure !== undefined) {
          const { failure, path } = event
          this.degrade(event, { path, reason: reasonOf(failure), after: "last_round" })
        }
        return
      case "Degraded":
        this.degrade(event, { path: event.path, reason: reasonOf(event.failure) })
        return
      case "SearchDegraded": {
        const reason = reasonOf(event.failure)
        const isKnown = this.degraded.some(
          ({ said }) => said.path === event.path && said.reason === reason,
        )
        const { path, without = "embeddings" } = event
        if (!isKnown) this.degrade(event, { path, reason, without })
        return
      }
      case "HookRan":
        if (event.skipped === true && event.failure !== undefined) {
          const { failure, hook, path } = event
          this.degrade(event, { path, reason: failure.message, hook })
        }
        return
      case "Reviewed":
        // A failed review that does not block lets a text leave unreviewed.
        if (event.failure !== undefined && event.verdict === "flag") {
          const { failure, path, reviewer } = event
          this.degrade(event, { path, reason: failure.message, reviewer })
        } else if (event.verdict === "block" || event.verdict === "replace") {
          const { path, reviewer, verdict } = event
          this.note(event, { path, text: `the review came to "${verdict}"`, reviewer })
        }
        return
      case "Noted":
        if (event.note === "cut_reply" && event.text !== undefined) {
          this.degrade(event, { path: event.path, reason: event.text, cut: true })
        }
        if (event.audience === "user" && event.text !== undefined) {
          this.note(event, { path: event.path, text: event.text })
        }
        return
      case "ModelCalled":
        this.usage.modelCalls += requestsOf(event)
        this.usage.inputTokens += event.usage.input
        this.usage.outputTokens += event.usage.output
        this.usage.cachedTokens += event.usage.cached ?? 0
        this.usage.cost = dollars(this.usage.cost + (event.cost ?? 0))
        if (event.usage.estimated === true) {
          this.usage.estimatedCalls = (this.usage.estimatedCalls ?? 0) + 1
        }
        return
      case "ReplyRead":
        this.replies ??= { direct: 0, salvaged: 0, repaired: 0, failed: 0 }
        this.replies[event.rung]++
        return
      case "ToolCalled": {
        if (isMadeCall(event)) this.usage.toolCalls++
        const { notes = [], path, tool } = event
        for (const text of notes) this.note(event, { path, text, tool })
        return
      }
      case "Asked":
        this.waits ??= new Map()
        this.waits.set(event.wait.name, event.wait)
        return
      case "Answered":
        this.waits?.delete(event.name)
        return
      case "RunSuspended":
        this.status = event.waits.every(({ kind }) => kind === "clarification")
          ? "clarification"
          : "suspended"
        this.waits = new Map(event.waits.map((wait) => [wait.name, wait]))
        return
      case "RunFinished":
        this.endRun("succeeded", event)
        this.outputs = event.outputs
        return
      case "RunFailed":
        this.endRun(event.failure.class === "clarification" ? "clarification" : "failed", event)
        this.failure = event.failure
        this.outputs = event.outputs ?? {}
        return
      case "RunCancelled":
        this.endRun("cancelled", event)
        this.failure = { class: "cancelled", message: event.reason }
        return
      default:
        return
    }
  }

  private degrade({ seq }: RunEvent, said: Degradation, before?: StageEntry): void {
    this.degraded.push({ seq, said, before })
  }

  private note({ seq }: RunEvent, note: RunNote): void {
    const key = JSON.stringify([note.tool, note.reviewer, note.text])
    this.notes ??= new Map()
    if (!this.notes.has(key)) this.notes.set(key, { seq, said: note })
  }

  /** Drops void stages but keeps their cost; the stages that enclose them run again. */
  private reset(event: Extract<RunEvent, { readonly type: "RunReset" | "RunMigrated" }>) {
    const { again, at } = event
    this.status = "running"
    this.failure = undefined
    this.finishedAt = undefined
    const stands = ({ said: { path }, seq }: Emitted<Degradation | RunNote>) =>
      !isVoid({ path, seq }, event)
    this.degraded = this.degraded.filter(stands)
    for (const [path, { stage }] of Object.entries(this.stages)) {
      if (again.some((root) => isPathWithin(path, root))) delete this.stages[path]
      else if (again.some((root) => isInside(root, path))) {
        const failed = this.degraded.findLast(
          ({ before, said }) => before !== undefined && said.path === path,
        )?.before
        if (failed === undefined) this.start(path, stage, at)
        else this.stages[path] = failed
      }
    }
    for (const [key, note] of this.notes ?? []) if (!stands(note)) this.notes!.delete(key)
  }

  private endRun(status: RunStatus, event: RunEvent) {
    this.status = status
    this.finishedAt = event.at
    this.waits = undefined
  }

  private start(path: string, stage: string, at: number): void {
    this.stages[path] = { stage, outcome: "running", attempts: 1, output: null, ms: at }
    this.open++
  }

  /** The entry of a stage that ends, with its duration. */
  private end({ at, path, stage }: StageEnd): StageEntry {
    let entry = this.stages[path]
    if (entry?.outcome !== "running") {
      entry = { stage, outcome: "running", attempts: 1, output: null, ms: at }
      this.stages[path] = entry
    } else this.open--
    entry.ms = at - entry.ms!
    return entry
  }

  /** The result of the events so far. */
  result(): RunResult {
    const result: { -readonly [K in keyof RunResult]: RunResult[K] } = {
      run: this.run,
      workflow: this.workflow,
      status: this.status,
      outputs: this.outputs,
      waits: this.waits === undefined ? [] : [...this.waits.values()],
      degraded: this.degraded.map(({ said }) => said),
      notes: this.notes === undefined ? [] : [...this.notes.values()].map(({ said }) => said),
      stages: this.stageResults(),
      usage: this.usage,
      startedAt: this.startedAt,
    }
    if (this.failure !== undefined) result.failure = this.failure
    if (this.replies !== undefined) result.replies = this.replies
    if (this.finishedAt !== undefined) result.finishedAt = this.finishedAt
    return result
  }

  /** A stage still under way when its run has ended was interrupted; in a suspended one it waits. */
  private stageResults(): { readonly [path: string]: StageResult } {
    if (this.open === 0) return this.stages
    const results: { [path: string]: StageResult } = {}
    const outcome =
      this.status === "running"
        ? "running"
        : this.finishedAt === undefined
          ? "waiting"
          : "cancelled"
    for (const [path, entry] of Object.entries(this.stages)) {
      results[path] =
        entry.outcome === "running" ? { stage: entry.stage, outcome, attempts: 1 } : entry
    }
    return results
  }
}

/** Whether the path is that of something inside of a stage, not of a later rerun of the stage itself. */
const isInside = (path: string, stage: string): boolean =>
  isPathWithin(path, stage) && path[stage.length] !== "~"

/** The result of a recorded run. */
export const resultOf = (events: Iterable<RunEvent>): RunResult => {
  const fold = new RunFold()
  for (const event of events) fold.push(event)
  return fold.result()
}
