/** Tables of the metrics and their attributes, made from their declarations. */
import {
  attributes,
  metrics,
  place,
  type Metric,
} from "../../packages/components/telemetry/src/Metrics.ts"
import { prometheusName } from "../../packages/components/telemetry/src/prometheusName.ts"

const all: ReadonlyArray<Metric> = Object.values(metrics)

export const metricTable = (): string =>
  [
    "| metric | in Prometheus | kind, unit | attributes | what |",
    "|---|---|---|---|---|",
    ...all.map(
      (metric) =>
        `| \`${metric.name}\` | \`${prometheusName(metric)}\` | ${metric.kind}, ${metric.unit} | ${attributesText(metric)} | ${metric.description} |`,
    ),
  ].join("\n")

export const attributeTable = (): string =>
  ["| attribute | value |", "|---|---|"]
    .concat(Object.entries(attributes).map(([name, value]) => `| \`${name}\` | ${value} |`))
    .join("\n")

export const bucketTable = (): string =>
  ["| histogram | upper bounds of its buckets |", "|---|---|"]
    .concat(
      all.flatMap((metric) =>
        metric.kind === "histogram"
          ? [`| \`${metric.name}\` | ${metric.buckets.join(", ")} |`]
          : [],
      ),
    )
    .join("\n")

const attributesText = ({ attributes: own }: Metric): string => {
  const names: ReadonlyArray<string> = own
  const isPlaced = place.every((name) => names.includes(name))
  const others = isPlaced ? own.filter((name) => !place.some((one) => one === name)) : own
  return [...(isPlaced ? ["*place*"] : []), ...others.map((name) => `\`${name}\``)].join(", ")
}
