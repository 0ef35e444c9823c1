/** What to ask the tool index: one query per requirement, and all of them together. */
import { listRequirements } from "@planloom/planning"
import type { Requirement, Requirements } from "@planloom/planning"

export interface Query {
  /** The requirement's id, or `all`. */
  readonly name: string
  readonly text: string
}

/** Words a tool's own description is likely to use. */
const wordsFor = ({ kind, label }: Requirement, requirements: Requirements): string => {
  switch (kind) {
    case "metrics":
      return `aggregate or summarize the numbers of ${label}`
    case "group_by":
      return `group by ${label}, aggregate per ${label}`
    case "time":
      return `time series by ${label}, time grain ${requirements.time.grain}`
    case "analysis":
      return label.replaceAll("_", " ")
    case "outputs":
      return label === "chart" ? "plot a chart" : `give a ${label}`
    case "filter":
      return "filter rows by a condition"
    case "top_n":
      return `top n ranking, sort and keep the ${label}`
    case "window":
      return `moving average over ${label} points`
    case "horizon":
      return `forecast the next ${label} values`
    case "chart_type":
      return `plot a ${label} chart`
    case "exclude":
      return ""
  }
}

/** Wishes to leave something out ask for no tool, nor does an answer in words. */
export const queriesOf = (requirements: Requirements, question?: string): ReadonlyArray<Query> => {
  const single = listRequirements(requirements)
    .map((requirement) => ({ name: requirement.id, text: wordsFor(requirement, requirements) }))
    .filter(({ name, text }) => text !== "" && name !== "outputs:text")
  const all = [...(question === undefined ? [] : [question]), ...single.map(({ text }) => text)]
  return all.length === 0 ? [] : [...single, { name: "all", text: all.join(". ") }]
}
