/** The state of a running run for display: a fold over its events. */
import type { RunEvent } from "@planloom/plugin/effect"
import { isMadeCall, requestsOf } from "@planloom/plugin/facts"
import { isPathWithin } from "@planloom/plugin/segments"
import { parentPath } from "./parentPath.ts"
import { opened, type StageView } from "./StageView.ts"

export interface Totals {
  inputTokens: number
  outputTokens: number
  /** Model calls whose usage the service did not fully report. */
  estimatedCalls: number
  /** US dollars of the calls with a known price. */
  cost: number
  priced: boolean
  modelCalls: number
  toolCalls: number
  retries: number
}

export class Progress {
  readonly roots: Array<StageView> = []
  readonly totals: Totals = {
    inputTokens: 0,
    outputTokens: 0,
    estimatedCalls: 0,
    cost: 0,
    priced: false,
    modelCalls: 0,
    toolCalls: 0,
    retries: 0,
  }
  startedAt: number | undefined
  endedAt: number | undefined
  private readonly byPath = new Map<string, StageView>()

  push(event: RunEvent): void {
    switch (event.type) {
      case "RunStarted":
        this.startedAt = event.at
        return
      case "RunResumed":
      case "RunForked":
        this.resume(event.at)
        return
      case "RunReset":
      case "RunMigrated":
        this.reset(event.again)
        this.resume(event.at)
        return
      case "StageStarted":
        this.open(event, event.uses)
        return
      case "StageSkipped": {
        const view = this.open(event, "")
        view.state = "skipped"
        view.skipped = event.reason
        view.endedAt = event.at
        return
      }
      case "SessionOpened":
      case "PromptsPinned":
      case "ToolListFailed":
      case "VariantAssigned":
      case "VariantExposed":
      case "OutputReady":
      case "OutputCorrected":
        return
      case "RunFinished":
      case "RunFailed":
      case "RunCancelled":
        this.end(event.at)
        return
      case "RunSuspended":
        this.endedAt = event.at
        return
      default: {
        const view = this.nearest(event.path)
        if (view !== undefined) this.update(view, event)
      }
    }
  }

  private update(view: StageView, event: StageEvent): void {
    switch (event.type) {
      case "StageFinished":
        view.state = "done"
        view.endedAt = event.at
        view.attempts = event.attempts
        view.strategy = event.strategy
        view.failure = undefined
        view.retryAt = undefined
        return
      case "StageFailed":
        view.state =
          event.onError === "fail"
            ? "failed"
            : event.onError === "continue"
              ? "continued"
              : "running"
        view.endedAt = event.onError === "fallback" ? undefined : event.at
        view.attempts = event.attempts
        view.failure = event.failure
        if (event.onError === "fallback") view.fellBack = event.failure
        view.retryAt = undefined
        return
      case "AttemptFailed":
        view.state = "waiting"
        view.failure = event.failure
        view.attempts = event.attempt + 1
        view.retryAt = event.at + event.delay
        this.totals.retries++
        return
      case "Asked":
        view.state = "waiting"
        view.message = event.wait.message
        return
      case "Answered":
        view.state = "running"
        view.message = undefined
        return
      case "Degraded":
        view.degraded = event.failure
        return
      case "Reviewed":
        if (event.verdict === "block" || event.verdict === "replace") {
          view.notes.add(`${event.reviewer}: the review came to "${event.verdict}"`)
        }
        return
      case "IterationStarted":
        view.iteration = event.iteration + 1
        return
      case "AssertionFailed":
        view.assertion = event
        return
      case "ModelCalled": {
        const { input, output } = event.usage
        view.tokens += input + output
        const requests = requestsOf(event)
        view.modelCalls += requests
        this.totals.modelCalls += requests
        this.totals.inputTokens += input
        this.totals.outputTokens += output
        if (event.usage.estimated === true) this.totals.estimatedCalls++
        if (event.cost !== undefined) {
          this.totals.cost += event.cost
          this.totals.priced = true
        }
        return
      }
      case "ToolCalled":
        if (isMadeCall(event)) {
          view.toolCalls++
          this.totals.toolCalls++
        }
        for (const note of event.notes ?? []) view.notes.add(note)
        return
      case "ToolProgressed":
        view.message = event.message === "" ? event.tool : `${event.tool}: ${event.message}`
        view.fraction = event.fraction
        return
      case "Progressed":
        view.message = event.message
        view.fraction = event.fraction
        return
      case "Noted":
        if (event.note === "summary" && typeof event.data === "string" && view.path === event.path)
          view.summary = event.data
        // The failure of the stage says its class only: the person at the terminal operates the run.
        if (event.note === "unshown_failure" && event.text !== undefined) view.notes.add(event.text)
        if (event.audience === "user" && event.text !== undefined) {
          view.message = event.text
          view.notes.add(event.text)
        }
        return
      case "ReplyRead":
      case "Reasoned":
      case "IterationFinished":
      case "LoopEnded":
        return
    }
  }

  private open(event: { path: string; stage: string; at: number }, uses: string): StageView {
    const view = opened(event, uses)
    const parent = parentPath(event.path)
    const owner = parent === undefined ? undefined : this.nearest(parent)
    ;(owner?.children ?? this.roots).push(view)
    this.byPath.set(event.path, view)
    return view
  }

  /** Returns the stage at this path, or the innermost stage that encloses it. */
  private nearest(path: string): StageView | undefined {
    for (let at: string | undefined = path; at !== undefined; at = parentPath(at)) {
      const view = this.byPath.get(at)
      if (view !== undefined) return view
    }
    return undefined
  }

  /** Restarts the clock; cancelled stages will run again. */
  private resume(at: number): void {
    this.startedAt = at
    this.endedAt = undefined
    for (const view of this.byPath.values()) if (view.state === "stopped") view.state = "waiting"
  }

  /** Removes the stages that will run again; the stages that enclose them are running. */
  private reset(again: ReadonlyArray<string>): void {
    const gone = ({ path }: StageView) => again.some((root) => isPathWithin(path, root))
    for (const [path, view] of this.byPath) {
      view.children.splice(0, Infinity, ...view.children.filter((child) => !gone(child)))
      if (gone(view)) this.byPath.delete(path)
      else if (again.some((root) => isPathWithin(root, path))) {
        view.state = "running"
        view.endedAt = undefined
        view.failure = undefined
      }
    }
    this.roots.splice(0, Infinity, ...this.roots.filter((view) => !gone(view)))
  }

  private end(at: number): void {
    this.endedAt = at
    for (const view of this.byPath.values()) {
      if (view.state !== "running" && view.state !== "waiting") continue
      view.state = "stopped"
      view.endedAt = at
    }
  }
}

type StageEvent = Exclude<
  RunEvent,
  {
    type:
      | "RunStarted"
      | "RunResumed"
      | "RunSuspended"
      | "RunForked"
      | "RunReset"
      | "RunMigrated"
      | "SessionOpened"
      | "OutputReady"
      | "OutputCorrected"
      | "RunFinished"
      | "RunFailed"
      | "RunCancelled"
      | "StageStarted"
      | "StageSkipped"
  }
>
