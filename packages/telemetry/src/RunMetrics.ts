/** Counts calls, tokens, cost, durations and failures of runs in a registry of its own, apart from the process's metrics. */
import * as Context from "effect/Context"
import * as Metric from "effect/Metric"
import type { ObservedRun, RunEvent, RunObserver } from "@planloom/plugin/effect"
import { isMadeCall } from "@planloom/plugin/facts"
import { modelAttributes, toolAttributes } from "./calls.ts"
import type { Attributes } from "./Span.ts"

/** Bucket boundaries of the GenAI conventions: seconds of a call, and tokens. */
const CALL_SECONDS = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
]
const TOKENS = [
  1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216,
  67_108_864,
]
const RUN_SECONDS = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600, 14_400, 86_400]

const histogram = (
  name: string,
  unit: string,
  boundaries: ReadonlyArray<number>,
  description: string,
) => Metric.histogram(name, { description, boundaries, attributes: { unit } })

const counter = (name: string, unit: string, description: string) =>
  Metric.counter(name, { description, incremental: true, attributes: { unit } })

const callDuration = histogram(
  "gen_ai.client.operation.duration",
  "s",
  CALL_SECONDS,
  "Duration of model calls",
)
const tokenUsage = histogram(
  "gen_ai.client.token.usage",
  "{token}",
  TOKENS,
  "Input and output tokens of model calls",
)
const toolDuration = histogram(
  "planloom.tool.duration",
  "s",
  CALL_SECONDS,
  "Duration of tool calls",
)
const cost = counter("planloom.cost", "USD", "Cost of model calls whose price is known")
const runDuration = histogram(
  "planloom.run.duration",
  "s",
  RUN_SECONDS,
  "Time from the start or resume of a run until its end or suspension",
)
const attemptFailures = counter(
  "planloom.attempt.failures",
  "{attempt}",
  "Attempts that failed and were repeated",
)
const stageFailures = counter("planloom.stage.failures", "{stage}", "Stages that failed")
const reviews = counter(
  "planloom.reviews",
  "{review}",
  "Reviews of texts, by what they count as and why",
)

type Measure = Metric.Metric<number, unknown>

export class RunMetrics {
  /** Holds the registry that the exporter reads. */
  readonly context = Context.make(Metric.MetricRegistry, new Map())

  readonly observe = ({ workflow }: ObservedRun): RunObserver => {
    const named = { "planloom.workflow": workflow }
    let began: number | undefined
    const finish = (at: number, status: string, error?: string) => {
      if (began === undefined) return
      const attributes = { ...named, "planloom.run.status": status, "error.type": error }
      this.add(runDuration, (at - began) / 1000, attributes)
      began = undefined
    }
    return {
      event: (event) => {
        began ??= event.at
        switch (event.type) {
          case "ModelCalled":
            return this.modelCalled(event)
          case "ToolCalled":
            if (!isMadeCall(event)) return
            return this.add(toolDuration, event.ms / 1000, {
              ...toolAttributes(event),
              "error.type": event.failure?.class,
            })
          case "AttemptFailed":
            return this.add(attemptFailures, 1, {
              ...named,
              "planloom.stage.id": event.stage,
              "error.type": event.failure.class,
            })
          case "StageFailed":
            return this.add(stageFailures, 1, {
              ...named,
              "planloom.stage.id": event.stage,
              "error.type": event.failure.class,
            })
          case "Reviewed":
            return this.add(reviews, 1, {
              ...named,
              "planloom.stage.id": event.stage,
              "planloom.reviewer": event.reviewer,
              "planloom.review.verdict": event.verdict,
              "planloom.review.cause": event.cause,
            })
          case "RunFinished":
            return finish(event.at, "succeeded")
          case "RunFailed":
            return finish(event.at, "failed", event.failure.class)
          case "RunCancelled":
            return finish(event.at, "cancelled")
          case "RunSuspended":
            return finish(event.at, "suspended")
        }
      },
      end: (at) => finish(at, "left"),
    }
  }

  private modelCalled(event: Extract<RunEvent, { readonly type: "ModelCalled" }>): void {
    const attributes = modelAttributes(event)
    this.add(callDuration, event.ms / 1000, { ...attributes, "error.type": event.failure?.class })
    for (const type of ["input", "output"] as const) {
      const tokens = event.usage[type]
      if (tokens > 0) this.add(tokenUsage, tokens, { ...attributes, "gen_ai.token.type": type })
    }
    if (event.cost !== undefined) this.add(cost, event.cost, attributes)
  }

  private add(metric: Measure, value: number, attributes: Attributes): void {
    const given = Object.entries(attributes).filter(([, one]) => one !== undefined)
    Metric.withAttributes(
      metric,
      Object.fromEntries(given.map(([name, one]) => [name, String(one)])),
    ).updateUnsafe(value, this.context)
  }
}
