/** Starts the export of spans and metrics to a collector over OTLP/HTTP, until the scope closes. */
import { Clock } from "effect/Clock"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { layer as fetchLayer, RequestInit } from "effect/http/FetchHttpClient"
import { HttpClient } from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as OtlpExporter from "effect/observability/OtlpExporter"
import * as OtlpResource from "effect/observability/OtlpResource"
import { layerJson, OtlpSerialization } from "effect/observability/OtlpSerialization"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import type { Telemetry } from "@planloom/plugin/effect"
import { collectorClient } from "./collectorClient.ts"
import { MetricStore } from "./MetricStore.ts"
import { otlpMetrics } from "./otlpMetrics.ts"
import { RunMetrics } from "./RunMetrics.ts"
import { RunTrace } from "./RunTrace.ts"
import type { OtlpSpan } from "./Span.ts"
import { together } from "./together.ts"

export interface TelemetryOptions {
  /** Base URL of the collector, such as `http://127.0.0.1:4318`. */
  readonly otlp: string
  /** Whether the headers of `OTEL_EXPORTER_OTLP_HEADERS` go to it; they do unless false. */
  readonly withHeaders?: boolean
  /** Called at most once, when the collector cannot be reached or refuses an export. Must not throw. */
  readonly onProblem?: (message: string) => void
}

const SPANS_INTERVAL_MS = 5000
const METRICS_INTERVAL_MS = 10_000
const MAX_BATCH_SPANS = 512

/** How long the last export may take when the scope closes; a collector that cannot be reached is not waited for. */
const FLUSH_MS = 2000

/**
 * Never fails: without a usable environment or collector, `onProblem` is called and runs are not affected. The resource
 * and HTTP headers come from `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_EXPORTER_OTLP_HEADERS`.
 */
export const startTelemetry = (
  options: TelemetryOptions,
): Effect.Effect<Telemetry, never, Scope.Scope> =>
  Effect.gen(function* () {
    const collector = new Collector(options)
    const scope = yield* Effect.acquireRelease(Scope.make("parallel"), (opened) =>
      collector.flushed(Scope.close(opened, Exit.void)),
    )
    return yield* Scope.provide(exporting(collector), scope).pipe(
      Effect.catchCause((cause) =>
        Effect.sync(() => {
          collector.failed(String(cause.reasons[0]))
          return idle
        }),
      ),
    )
  })

const idle: Telemetry = {
  observe: () => ({ event: () => undefined, end: () => undefined }),
}

const headersFromEnvironment = Config.Record(
  Schema.String,
  Schema.StringFromUriComponent,
  "OTEL_EXPORTER_OTLP_HEADERS",
).pipe(Config.withDefault(undefined))

const exporting = (collector: Collector): Effect.Effect<Telemetry, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const { url } = collector
    const resource = {
      serviceName: yield* Config.String("OTEL_SERVICE_NAME").pipe(Config.withDefault("planloom")),
    }
    const known = yield* OtlpResource.fromConfig(resource)
    const headers = collector.withHeaders ? yield* headersFromEnvironment : undefined
    const library = yield* Layer.build(
      Layer.mergeAll(fetchLayer, layerJson, OtlpExporter.layerFlusher),
    )
    const client = collectorClient(Context.get(library, HttpClient), collector.failed)
    // A redirect would carry the headers, which hold credentials, to another address.
    const services = Context.add(Context.add(library, HttpClient, client), RequestInit, {
      redirect: "manual",
    })
    const { metrics, traces } = Context.get(library, OtlpSerialization)
    const shared = { headers, shutdownTimeout: FLUSH_MS }
    const exporter = yield* OtlpExporter.make({
      ...shared,
      url: `${url}/v1/traces`,
      label: "planloom-traces",
      exportInterval: SPANS_INTERVAL_MS,
      maxBatchSize: MAX_BATCH_SPANS,
      body: (spans: Array<OtlpSpan>) => [
        traces({
          resourceSpans: [
            { resource: known, scopeSpans: [{ scope: { name: "@planloom/telemetry" }, spans }] },
          ],
        }),
        Effect.void,
      ],
    }).pipe(alone, Effect.provideContext(services))
    const store = new MetricStore()
    const clock = yield* Clock
    const start = clock.currentTimeNanosUnsafe()
    yield* OtlpExporter.make({
      ...shared,
      url: `${url}/v1/metrics`,
      label: "planloom-metrics",
      exportInterval: METRICS_INTERVAL_MS,
      maxBatchSize: "disabled",
      exportEmpty: true,
      body: () => [
        metrics(otlpMetrics(store, known, { start, end: clock.currentTimeNanosUnsafe() })),
        Effect.void,
      ],
    }).pipe(alone, Effect.provideContext(services))
    const traced: Telemetry = { observe: (run) => new RunTrace(run, exporter.push) }
    return together(traced, new RunMetrics(store))
  })

/** Gives an exporter its own scope: it closes beside the other, and its parts close in order. */
const alone = <A, R>(exporter: Effect.Effect<A, never, R | Scope.Scope>) =>
  Effect.flatMap(Effect.scope, (around) =>
    Effect.flatMap(Scope.fork(around, "sequential"), (scope) => Scope.provide(exporter, scope)),
  )

/** What is known of the collector: its address and whether it answers. */
class Collector {
  readonly url: string
  readonly withHeaders: boolean
  private report: ((message: string) => void) | undefined
  private stopWaiting: (() => void) | undefined

  constructor({ onProblem, otlp, withHeaders = true }: TelemetryOptions) {
    this.withHeaders = withHeaders
    this.url = otlp.replace(/\/+$/, "")
    this.report = onProblem
  }

  readonly failed = (reason: string): void => {
    const { report } = this
    this.report = undefined
    report?.(`telemetry is not exported to ${this.url}: ${reason}`)
    this.stopWaiting?.()
  }

  /** Waits for the close, but no longer once an export has failed: the exporter would retry. */
  flushed(close: Effect.Effect<void>): Effect.Effect<void> {
    return Effect.flatMap(Effect.forkDetach(close), (fiber) =>
      Effect.callback<void>((resume) => {
        this.stopWaiting = () => resume(Effect.void)
        fiber.addObserver(() => resume(Effect.void))
      }),
    )
  }
}
