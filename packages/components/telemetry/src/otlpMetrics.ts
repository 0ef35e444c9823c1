/** Metrics as OTLP writes them: cumulative since the start. */
import type { MetricsData } from "effect/observability/OtlpMetrics"
import { entriesToAttributes, type Resource } from "effect/observability/OtlpResource"
import { attributesOf, type MetricStore, type Series } from "./MetricStore.ts"
import type { Metric } from "./Metrics.ts"

/** Of OTLP's enumeration of temporalities. */
const CUMULATIVE = 2

/** Nanoseconds since 1970. */
interface Interval {
  readonly start: bigint
  readonly end: bigint
}

type OtlpMetric = MetricsData["resourceMetrics"][number]["scopeMetrics"][number]["metrics"][number]

export const otlpMetrics = (
  store: MetricStore,
  resource: Resource,
  interval: Interval,
): MetricsData => ({
  resourceMetrics: [
    {
      resource,
      scopeMetrics: [
        {
          scope: { name: "@planloom/telemetry" },
          metrics: store.all.map(([metric, series]) => metricOf(metric, series, interval)),
        },
      ],
    },
  ],
})

const metricOf = (
  metric: Metric,
  series: ReadonlyArray<Series>,
  { end, start }: Interval,
): OtlpMetric => {
  const { description, name, unit } = metric
  const times = { startTimeUnixNano: String(start), timeUnixNano: String(end) }
  const point = (one: Series) => ({
    attributes: entriesToAttributes(attributesOf(metric, one).map(([key, value]) => [key, value])),
    ...times,
  })
  const number = (one: Series) => ({ ...point(one), asDouble: one.sum })
  const described = { name, unit, description }
  switch (metric.kind) {
    case "counter":
      return {
        ...described,
        sum: {
          aggregationTemporality: CUMULATIVE,
          isMonotonic: true,
          dataPoints: series.map(number),
        },
      }
    case "gauge":
      return { ...described, gauge: { dataPoints: series.map(number) } }
    case "histogram":
      return {
        ...described,
        histogram: {
          aggregationTemporality: CUMULATIVE,
          dataPoints: series.map((one) => ({
            ...point(one),
            count: one.count,
            sum: one.sum,
            bucketCounts: [...one.buckets],
            explicitBounds: [...metric.buckets],
          })),
        },
      }
  }
}
