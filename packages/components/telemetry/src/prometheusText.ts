/** Metrics in Prometheus's text format, version 0.0.4. */
import { attributesOf, type MetricStore, type Series } from "./MetricStore.ts"
import type { Metric } from "./Metrics.ts"
import { labelName, prometheusName } from "./prometheusName.ts"

export const prometheusText = (store: MetricStore): string => {
  const lines = store.all.flatMap(([metric, series]) => {
    const name = prometheusName(metric)
    return [
      `# HELP ${name} ${escaped(metric.description)}`,
      `# TYPE ${name} ${metric.kind}`,
      ...series.flatMap((one) => samples(metric, name, one)),
    ]
  })
  return lines.map((line) => `${line}\n`).join("")
}

type Labels = ReadonlyArray<readonly [name: string, value: string]>

const samples = (metric: Metric, name: string, series: Series): ReadonlyArray<string> => {
  const labels: Labels = attributesOf(metric, series)
  if (metric.kind !== "histogram") return [`${name}${labelsText(labels)} ${series.sum}`]
  let below = 0
  const buckets = series.buckets.map((count, at) => {
    below += count
    const bound = metric.buckets[at]
    const le = bound === undefined ? "+Inf" : String(bound)
    return `${name}_bucket${labelsText([...labels, ["le", le]])} ${below}`
  })
  return [
    ...buckets,
    `${name}_sum${labelsText(labels)} ${series.sum}`,
    `${name}_count${labelsText(labels)} ${series.count}`,
  ]
}

const labelsText = (labels: Labels): string =>
  labels.length === 0
    ? ""
    : `{${labels.map(([name, value]) => `${labelName(name)}="${quoted(value)}"`).join(",")}}`

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")

const quoted = (value: string): string => escaped(value).replaceAll('"', '\\"')
