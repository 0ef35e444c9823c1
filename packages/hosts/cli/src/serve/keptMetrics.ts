/** The metrics that the server keeps, if it keeps some; nothing is loaded otherwise. */
import type { RunStore } from "@planloom/plugin/effect"
import type { Ready, Worker } from "@planloom/record/worker"
import type { MetricsEndpoint } from "@planloom/server"
import * as Effect from "effect/Effect"
import type { Refused } from "../Refused.ts"

export interface KeptMetrics {
  /** The workflow with its runs measured, beside its own telemetry. */
  readonly measured: (ready: Ready) => Ready
  readonly endpoint: (store: RunStore, worker: Worker) => MetricsEndpoint
}

export interface MetricsRequest {
  /** `--metrics`. */
  readonly flag: boolean
  /** In the project whose `planloom.yaml` may set `serve.metrics`. */
  readonly folder: string
}

/** Undefined unless the flag or the project asks for metrics. */
export const keptMetrics = ({
  flag,
  folder,
}: MetricsRequest): Effect.Effect<KeptMetrics | undefined, Refused> =>
  Effect.gen(function* () {
    const { readProject } = yield* Effect.promise(() => import("@planloom/language"))
    if (!flag && (yield* readProject(folder))?.serve?.metrics !== true) return undefined
    const { ServerMetrics, together } = yield* Effect.promise(() => import("@planloom/telemetry"))
    const metrics = new ServerMetrics()
    return {
      measured: (ready) => ({
        ...ready,
        telemetry: ready.telemetry === undefined ? metrics : together(ready.telemetry, metrics),
      }),
      endpoint: (store, worker) => ({
        requested: metrics.requested,
        read: Effect.map(store.unfinished, (unfinished) => ({
          text: metrics.text({ unfinished, active: worker.atWork }),
          contentType: metrics.contentType,
        })),
      }),
    }
  })
