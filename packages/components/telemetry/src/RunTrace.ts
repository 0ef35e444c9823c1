/** Builds the spans of one run from its events: run, stage, attempt, and calls inside the attempt. */
import { createHash } from "node:crypto"
import type { ObservedRun, RunEvent, RunObserver } from "@planloom/plugin/effect"
import { outerNames } from "@planloom/plugin/segments"
import { callOf } from "./calls.ts"
import { Span, type Attributes, type OtlpSpan } from "./Span.ts"

interface OpenStage {
  readonly span: Span
  /** When the current attempt started. */
  since: number
  /** Number of the current attempt, from 1; 0 if it started in an earlier process. */
  number: number
  /** Made for the first call or failure of the attempt: blocks and stages without calls have no attempts to show. */
  attempt: Span | undefined
}

type StageEvent = Extract<RunEvent, { readonly path: string }>

export class RunTrace implements RunObserver {
  private readonly observed: ObservedRun
  private readonly emit: (span: OtlpSpan) => void
  private readonly trace: string
  private root: Span | undefined
  private readonly stages = new Map<string, OpenStage>()
  /** When this process started or resumed the run. */
  private began = 0

  constructor(observed: ObservedRun, emit: (span: OtlpSpan) => void) {
    this.observed = observed
    this.emit = emit
    this.trace = traceOf(observed.run)
  }

  readonly event = (event: RunEvent): void => {
    const root = this.rootAt(event.at)
    const call = callOf(event)
    if (call !== undefined) {
      const { attributes, failure, kind, ms, name } = call
      const span = this.child(name, this.callerOf(event as StageEvent), event.at - ms, {
        attributes,
        kind,
      })
      this.emit(span.ended(event.at, failure?.class))
      return
    }
    switch (event.type) {
      case "RunResumed":
        return root.set({ "planloom.run.epoch": event.epoch })
      case "StageStarted":
        return void this.open(event, event.at, 1, { "planloom.stage.kind": event.uses })
      case "AttemptFailed": {
        const stage = this.stageOf(event)
        this.attemptIn(stage).set({ "planloom.attempt": event.attempt })
        this.endAttempt(stage, event.at, event.failure.class)
        stage.number = event.attempt + 1
        stage.since = event.at + event.delay
        return
      }
      case "Degraded":
        return this.stageOf(event).span.set({ "planloom.stage.degraded": event.failure.class })
      case "LoopEnded":
        return this.stageOf(event).span.set({
          "planloom.loop.stopped": event.stopped,
          "planloom.loop.iterations": event.iterations,
          "planloom.stage.degraded": event.failure?.class,
        })
      case "Noted": {
        // What a note holds is content, which spans leave out.
        if (event.audience === undefined) return
        const attributes = { "planloom.event.audience": event.audience }
        const span = this.child(`event ${event.note}`, this.stageOf(event).span, event.at, {
          attributes,
        })
        return this.emit(span.ended(event.at, undefined))
      }
      case "StageFinished":
        return this.close(event, undefined, { "planloom.stage.strategy": event.strategy })
      case "StageFailed":
        return this.close(event, event.failure.class, { "planloom.stage.on_error": event.onError })
      case "RunFinished":
        return this.finish(event.at, "succeeded")
      case "RunFailed":
        return this.finish(event.at, "failed", event.failure.class)
      case "RunCancelled":
        return this.finish(event.at, "cancelled")
      case "RunSuspended":
        return this.finish(event.at, "suspended")
    }
  }

  readonly end = (at: number): void => this.finish(at, "left")

  private rootAt(at: number): Span {
    if (this.root !== undefined) return this.root
    const { run, workflow } = this.observed
    this.began = at
    this.root = new Span({
      trace: this.trace,
      name: `run ${workflow}`,
      start: at,
      attributes: { "planloom.run.id": run, "planloom.workflow": workflow },
    })
    return this.root
  }

  private child(
    name: string,
    parent: Span | undefined,
    start: number,
    more: { readonly attributes?: Attributes; readonly kind?: "client" | "internal" } = {},
  ): Span {
    return new Span({ trace: this.trace, parent, name, start, ...more })
  }

  private open(
    { path, stage }: StageEvent,
    start: number,
    number: number,
    more: Attributes = {},
  ): OpenStage {
    const around = this.around(path)
    const span = this.child(`stage ${stage}`, around?.attempt ?? around?.span ?? this.root, start, {
      attributes: { "planloom.stage.id": stage, "planloom.stage.path": path, ...more },
    })
    const opened: OpenStage = { span, since: start, number, attempt: undefined }
    this.stages.set(path, opened)
    return opened
  }

  /** A stage that started in an earlier process is shown from the resume on. */
  private stageOf(event: StageEvent): OpenStage {
    return this.stages.get(event.path) ?? this.open(event, this.began, 0)
  }

  /** The innermost open stage around a path: `work` is around `work[2]/results`. */
  private around(path: string): OpenStage | undefined {
    for (const outer of outerNames(path)) {
      const stage = this.stages.get(outer)
      if (stage !== undefined) return stage
    }
    return undefined
  }

  /** Hooks also run around a stage and outside of stages. */
  private callerOf(event: StageEvent): Span | undefined {
    if (event.type !== "HookRan") return this.attemptIn(this.stageOf(event))
    const stage = this.stages.get(event.path)
    return stage?.attempt ?? stage?.span ?? this.root
  }

  private attemptIn(stage: OpenStage): Span {
    return (stage.attempt ??= this.child("attempt", stage.span, stage.since, {
      attributes: { "planloom.attempt": stage.number || undefined },
    }))
  }

  private endAttempt(stage: OpenStage, at: number, error?: string): void {
    if (stage.attempt !== undefined) this.emit(stage.attempt.ended(at, error))
    stage.attempt = undefined
  }

  private close(
    event: Extract<RunEvent, { readonly type: "StageFinished" | "StageFailed" }>,
    error: string | undefined,
    more: Attributes,
  ): void {
    const stage = this.stageOf(event)
    this.endAttempt(stage, event.at, error)
    stage.span.set({ "planloom.stage.attempts": event.attempts, ...more })
    this.emit(stage.span.ended(event.at, error))
    this.stages.delete(event.path)
  }

  private finish(at: number, status: string, error?: string): void {
    const { root } = this
    if (root === undefined) return
    // The innermost stages are the last.
    for (const stage of [...this.stages.values()].toReversed()) {
      this.endAttempt(stage, at)
      stage.span.set({ "planloom.stage.unfinished": true })
      this.emit(stage.span.ended(at))
    }
    this.stages.clear()
    root.set({ "planloom.run.status": status })
    this.emit(root.ended(at, error))
    this.root = undefined
  }
}

/** One trace for all parts of a run, in whichever process: its id without dashes if it is a UUID. */
const traceOf = (run: string): string => {
  const hex = run.replaceAll("-", "").toLowerCase()
  return /^[0-9a-f]{32}$/.test(hex) && !/^0+$/.test(hex)
    ? hex
    : createHash("sha256").update(run).digest("hex").slice(0, 32)
}
