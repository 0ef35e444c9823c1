/** Metrics of a server and its runs, which Prometheus reads from it. */
import type { ObservedRun, RunObserver, Telemetry, UnfinishedRuns } from "@planloom/plugin/effect"
import { MetricStore } from "./MetricStore.ts"
import { prometheusText } from "./prometheusText.ts"
import { RunMetrics } from "./RunMetrics.ts"

/** Figures of a server's runs at the time of a reading. */
export interface ServerState {
  /** Of its store. */
  readonly unfinished: UnfinishedRuns
  /** Number of runs that it works on. */
  readonly active: number
}

/** A request with its reply; `route` is a pattern, undefined if none matches. */
export interface ServedRequest {
  readonly method: string
  readonly route: string | undefined
  readonly status: number
  readonly ms: number
}

/** Methods that OpenTelemetry names; a client may send any text. */
const methods: ReadonlySet<string> = new Set([
  "CONNECT",
  "DELETE",
  "GET",
  "HEAD",
  "OPTIONS",
  "PATCH",
  "POST",
  "PUT",
  "TRACE",
])

const states = ["queued", "active", "suspended", "clarification"] as const

const MICROS_PER_SECOND = 1_000_000

export class ServerMetrics implements Telemetry {
  /** Content type of `text`. */
  readonly contentType = "text/plain; version=0.0.4; charset=utf-8"
  private readonly store = new MetricStore()
  private readonly runs = new RunMetrics(this.store)

  readonly observe = (run: ObservedRun): RunObserver => this.runs.observe(run)

  readonly requested = ({ method, ms, route, status }: ServedRequest): void =>
    this.store.add("requests", ms / 1000, {
      "http.request.method": methods.has(method) ? method : "_OTHER",
      "http.route": route,
      "http.response.status_code": String(status),
    })

  /** All metrics in Prometheus's text format. */
  text({ active, unfinished }: ServerState): string {
    const { store } = this
    for (const state of states) {
      store.set("serverRuns", unfinished[state], { "planloom.server.run.state": state })
    }
    store.set("serverActive", active, {})
    const { system, user } = process.cpuUsage()
    store.set("memory", process.memoryUsage.rss(), {})
    store.set("cpu", (system + user) / MICROS_PER_SECOND, {})
    return prometheusText(store)
  }
}
