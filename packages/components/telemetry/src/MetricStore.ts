/** Counts what is measured in a process, by metric and attributes, since the process started. */
import { metrics, type AttributesOf, type Metric, type MetricId } from "./Metrics.ts"

/** Values of one metric with the same attributes. */
export interface Series {
  /** In the order of the metric's attributes; empty for one that is absent. */
  readonly values: ReadonlyArray<string>
  /** Further combinations than are kept count together here. */
  readonly isOverflow: boolean
  /** Number of values. */
  count: number
  /** Sum of the values; of a gauge the last value. */
  sum: number
  /** Number of values in each bucket of a histogram, not cumulative; the last is for values above all bounds. */
  readonly buckets: Array<number>
}

/** Combinations of attributes of one metric that are kept; OpenTelemetry's SDKs have the same limit. */
const MAX_SERIES = 2000

const SEPARATOR = "\u0000"

interface Kept {
  readonly series: Map<string, Series>
  overflow: Series | undefined
}

export class MetricStore {
  private readonly kept = new Map<MetricId, Kept>()

  /** Adds to a counter, or a value to a histogram. */
  add<Id extends MetricId>(id: Id, value: number, given: AttributesOf<Id>): void {
    const metric: Metric = metrics[id]
    const series = this.seriesOf(id, metric, given)
    series.count++
    series.sum += value
    if (metric.kind === "histogram") series.buckets[bucketOf(metric.buckets, value)]!++
  }

  /** Sets a gauge, or a counter that something else counts. */
  set<Id extends MetricId>(id: Id, value: number, given: AttributesOf<Id>): void {
    const series = this.seriesOf(id, metrics[id], given)
    series.count = 1
    series.sum = value
  }

  /** Metrics that have values, in the order in which they are declared. */
  get all(): ReadonlyArray<readonly [Metric, ReadonlyArray<Series>]> {
    return (Object.keys(metrics) as ReadonlyArray<MetricId>).flatMap((id) => {
      const kept = this.kept.get(id)
      if (kept === undefined) return []
      const { overflow, series } = kept
      const others = overflow === undefined ? [] : [overflow]
      return [[metrics[id], [...series.values(), ...others]] as const]
    })
  }

  private seriesOf(
    id: MetricId,
    metric: Metric,
    given: { readonly [name: string]: string | undefined },
  ): Series {
    let kept = this.kept.get(id)
    if (kept === undefined) {
      kept = { series: new Map(), overflow: undefined }
      this.kept.set(id, kept)
    }
    const { series } = kept
    const values = metric.attributes.map((name) => given[name] ?? "")
    const key = values.join(SEPARATOR)
    const found = series.get(key)
    if (found !== undefined) return found
    if (series.size >= MAX_SERIES) return (kept.overflow ??= newSeries(metric, undefined))
    const made = newSeries(metric, values)
    series.set(key, made)
    return made
  }
}

const newSeries = (metric: Metric, values: Series["values"] | undefined): Series => ({
  values: values ?? [],
  isOverflow: values === undefined,
  count: 0,
  sum: 0,
  buckets: metric.kind === "histogram" ? [...metric.buckets.map(() => 0), 0] : [],
})

/** The first bucket whose bound the value does not exceed. */
const bucketOf = (bounds: ReadonlyArray<number>, value: number): number => {
  let at = 0
  while (at < bounds.length && value > bounds[at]!) at++
  return at
}

/** Attributes of a series that are present, by name. */
export const attributesOf = (
  { attributes }: Metric,
  { isOverflow, values }: Series,
): ReadonlyArray<readonly [name: string, value: string]> =>
  isOverflow
    ? [["otel.metric.overflow", "true"]]
    : attributes.flatMap((name, at) => {
        const value = values[at]!
        return value === "" ? [] : [[name, value] as const]
      })
