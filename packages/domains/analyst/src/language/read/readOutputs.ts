/** Reads requested and excluded outputs: "as a table", "bar chart", "no chart". */
import type { Analysis, Output } from "../../requirements/Requirements.ts"
import { reader, type Found } from "../Form.ts"
import type { Reading } from "../Reading.ts"

const exclude = (reading: Reading, output: Output): string => {
  const known = reading.constraints.some((one) => one.kind === "exclude" && one.output === output)
  if (!known) reading.constraints.push({ kind: "exclude", output })
  return `exclude:${output}`
}

const readExcluded = (found: Found, reading: Reading): void => {
  const named = found.all("OUTPUT").map(({ of }) => of)
  if (found.first("CHART") !== undefined) named.push("chart")
  const uses = named.map((output) => exclude(reading, output))
  reading.claim(uses, found.start, found.end)
}

/** Kinds of charts that imply an analysis. */
const implied: ReadonlyMap<string, Analysis> = new Map([
  ["histogram", "distribution"],
  ["box", "distribution"],
  ["scatter", "correlation"],
])

const readChart = (found: Found, reading: Reading): boolean => {
  const chart = found.of("CHART") ?? ""
  if ((reading.mention(found.start)?.end ?? 0) >= found.end) return false
  reading.outputs.add("chart")
  reading.constraints.push({ kind: "chart_type", chart })
  const analysis = implied.get(chart)
  if (analysis !== undefined) reading.analysis.add(analysis)
  const more = analysis === undefined ? [] : [`analysis:${analysis}`]
  reading.claim(["outputs:chart", `chart_type:${chart}`, ...more], found.start, found.end)
  return true
}

const readOutput = (found: Found, reading: Reading): boolean => {
  const item = found.first("OUTPUT")
  if (item === undefined || reading.mention(item.start)?.quality === 1) return false
  reading.claim(`outputs:${item.of}`, item.start, item.end)
  if (found.first("WHOLE") === undefined || item.of !== "table") reading.outputs.add(item.of)
  return true
}

export const readOutputs = reader([
  ["NOT WANT* (OUTPUT | CHART) ((or | and) WANT* (OUTPUT | CHART))*", readExcluded],
  ["CHART", readChart],
  ["WHOLE? OUTPUT", readOutput],
])
