/** Names of metrics and attributes as Prometheus has them, by OpenTelemetry's rules: a scrape and a collector give the same. */
import type { Metric } from "./Metrics.ts"

/** UCUM's units that Prometheus writes out; what stands in braces is no unit. */
const units: { readonly [unit: string]: string } = { s: "seconds", By: "bytes" }

export const prometheusName = ({ kind, name, unit }: Pick<Metric, "kind" | "name" | "unit">) => {
  const words = [labelName(name)]
  if (unit === "1") {
    if (kind === "gauge") words.push("ratio")
  } else if (!unit.startsWith("{")) words.push(units[unit] ?? unit)
  if (kind === "counter") words.push("total")
  return words.join("_")
}

export const labelName = (attribute: string): string => attribute.replaceAll(/\W/g, "_")
