/** Decides whether a step serves a requirement, by its tool's capabilities and its arguments. */
import { ancestorsOf, can, findTool, notServed, sameJson } from "@planloom/planning"
import type { Service, Situation, Step } from "@planloom/planning"
import type { JsonObject, Tool } from "@planloom/plugin/effect"
import type { Analysis, Condition, Requirements } from "../requirements/Requirements.ts"
import type { TableRequirement } from "../requirements/listRequirements.ts"
import { aggregates, drawsChart, hasRole, namesIn, valueOf } from "./ToolRoles.ts"

/** A partial plan, with the requirements of the whole question. */
export interface TableSituation extends Situation {
  readonly requirements: Requirements
}

/** Capabilities that stand for an analysis, beside its own label. */
const capabilitiesOf: { readonly [A in Analysis]: ReadonlyArray<string> } = {
  total: ["sum", "summarize", "statistics"],
  average: ["mean", "summarize", "statistics"],
  median: ["summarize", "statistics"],
  minimum: ["min", "summarize", "statistics"],
  maximum: ["max", "summarize", "statistics"],
  count: ["summarize", "statistics"],
  distinct: ["count_distinct"],
  compare: ["compare_periods", "comparison"],
  trend: ["time_series"],
  distribution: ["histogram", "statistics"],
  anomaly: ["anomaly_detection", "anomalies", "outliers"],
  correlation: ["correlate"],
  ranking: ["rank", "top_n", "sort"],
  share: ["proportion", "percentage"],
  summary: ["summarize", "statistics", "describe", "overview"],
  filter: ["filtering"],
  forecast: ["forecasting", "prediction"],
  moving_average: ["rolling", "smoothing"],
  rate: [],
  ratio: ["divide"],
  difference: ["subtract"],
  change: ["growth"],
}

/** Values of an aggregate's `agg` argument by analysis. */
export const functionsOf: { readonly [A in Analysis]?: ReadonlyArray<string> } = {
  total: ["sum", "total"],
  average: ["mean", "avg", "average"],
  median: ["median"],
  minimum: ["min", "minimum"],
  maximum: ["max", "maximum"],
  count: ["count"],
  distinct: ["count_distinct", "distinct", "nunique"],
}

/** Analyses that only a special tool does; such a tool must not be used without them. */
const special: { readonly [A in Analysis]?: ReadonlyArray<string> } = {
  distribution: ["histogram", "distribution"],
  anomaly: ["anomaly", "anomaly_detection", "anomalies", "outliers"],
  correlation: ["correlation", "correlate"],
  forecast: ["forecast", "forecasting", "prediction"],
  share: ["share", "proportion"],
  moving_average: ["moving_average", "rolling"],
  rate: ["rate"],
  ratio: ["ratio"],
  difference: ["difference"],
  change: ["change"],
}
/** Analyses that give one number per group under their own name. */
export const perGroup = ["rate", "ratio", "difference"] as const

const general = ["aggregate", "group_by", "compare", "time_series", "categorical", "filter"]

const fulfils: Service = { how: "fulfils" }
const supports: Service = { how: "supports" }

/** Whether the tool names the analysis, or a word for it, among its capabilities. */
export const does = (tool: Tool, analysis: Analysis): boolean =>
  can(tool, analysis, ...capabilitiesOf[analysis])

/** Special analyses of a tool that has no other use. */
export const specialtiesOf = (tool: Tool): ReadonlyArray<Analysis> => {
  const found = specialities.get(tool) ?? findSpecialities(tool)
  specialities.set(tool, found)
  return found
}

const specialities = new WeakMap<Tool, ReadonlyArray<Analysis>>()

const findSpecialities = (tool: Tool): ReadonlyArray<Analysis> =>
  can(tool, ...general)
    ? []
    : Object.entries(special).flatMap(([analysis, words]) =>
        can(tool, ...words) ? [analysis as Analysis] : [],
      )

const measuring = ["metrics", "y", "column", "columns", "order_by"] as const
const dividing = ["x", "color", "facet"] as const

/** The columns that a step measures, by its arguments; empty if it measures all. */
const measuredBy = (tool: Tool, step: Step) => namesIn(tool, step.params, measuring)

const toolsAbove = (step: Step, { plan, tools }: Situation) =>
  ancestorsOf(plan, step).flatMap((one) => {
    const tool = findTool(tools, one.tool)
    return tool === undefined ? [] : [[tool, one] as const]
  })

/** `count` is what counting gives; `revenue_share` is a measure of revenue. */
const isAbout = (name: string, { metrics, analysis }: Requirements) =>
  metrics.some((metric) => name === metric || name.includes(metric)) ||
  analysis.some((one) => one === name) ||
  (name === "count" && metrics.length === 0)

const beside = (tool: Tool, step: Step, requirements: Requirements): string | undefined => {
  const measured = measuredBy(tool, step)
  if (requirements.metrics.length === 0 || measured.length === 0) return undefined
  if (measured.some((name) => isAbout(name, requirements))) return undefined
  return `${step.id} measures ${measured.join(", ")}, not ${requirements.metrics.join(" or ")}`
}

const metrics = (label: string, tool: Tool, step: Step): Service => {
  const measured = [
    ...measuredBy(tool, step),
    ...(can(tool, "correlation", "distribution", "histogram")
      ? namesIn(tool, step.params, ["x"])
      : []),
  ]
  if (measured.includes(label)) return fulfils
  const takesAll =
    measured.length === 0 &&
    !aggregates(tool) &&
    can(tool, "summarize", "statistics", "correlation")
  return takesAll ? fulfils : notServed(`no argument of ${step.id} measures ${label}`)
}

const groupBy = (label: string, tool: Tool, step: Step): Service => {
  if (namesIn(tool, step.params, ["group_by"]).includes(label)) return fulfils
  if (namesIn(tool, step.params, dividing).includes(label)) return supports
  return notServed(`${step.id} does not group by ${label}`)
}

const timeColumns = (tool: Tool, step: Step) => [
  ...namesIn(tool, step.params, ["time_column", "group_by"]),
  ...(can(tool, "time_series") ? namesIn(tool, step.params, ["x"]) : []),
]

const time = (tool: Tool, step: Step, situation: TableSituation): Service => {
  const { column, grain } = situation.requirements.time
  const columns = timeColumns(tool, step)
  if (columns.length === 0 || (column !== "" && !columns.includes(column))) {
    const prepares =
      can(tool, "parse_datetime", "datetime") &&
      namesIn(tool, step.params, ["column", "columns"]).includes(column)
    return prepares
      ? supports
      : notServed(`${step.id} is not based on ${column === "" ? "time" : column}`)
  }
  if (grain === "unknown" || valueOf(tool, step.params, "time_grain") === grain) return fulfils
  const cut = toolsAbove(step, situation).some(
    ([above, one]) => valueOf(above, one.params, "time_grain") === grain,
  )
  return cut ? supports : notServed(`${step.id} is not by ${grain}`)
}

const comparesGroups = (tool: Tool, step: Step) =>
  namesIn(tool, step.params, ["group_by", "time_column", ...dividing]).length > 0

const analysis = (label: Analysis, tool: Tool, step: Step, situation: TableSituation): Service => {
  const { requirements } = situation
  const reason = beside(tool, step, requirements)
  if (reason !== undefined) return notServed(reason)
  const functions = functionsOf[label]
  if (functions !== undefined && hasRole(tool, "agg")) {
    const used = namesIn(tool, step.params, ["agg"])
    if (used.some((name) => functions.includes(name))) return fulfils
    return notServed(`${step.id} gives the ${used.join(", ") || "default"}, not the ${label}`)
  }
  if (label === "trend") {
    const based = timeColumns(tool, step).length > 0 && time(tool, step, situation).how !== "no"
    if (based && (can(tool, "trend", "time_series") || hasRole(tool, "time_grain"))) return fulfils
    return notServed(`${step.id} does not go by time`)
  }
  if (label === "filter" && hasRole(tool, "filters")) {
    const filters = valueOf(tool, step.params, "filters")
    return Array.isArray(filters) && filters.length > 0
      ? fulfils
      : notServed(`${step.id} filters nothing`)
  }
  if (does(tool, label)) return fulfils
  if (label === "compare" && comparesGroups(tool, step)) return fulfils
  if (label === "ranking" && hasRole(tool, "order") && step.params.order !== undefined)
    return fulfils
  return notServed(`${tool.name} cannot do ${label}`)
}

/** A condition as a tool's argument holds it. */
export const conditionOf = ({ column, op, value }: Condition): JsonObject =>
  value === undefined ? { column, op } : { column, op, value }

/** The argument that holds the conditions of each kind. */
export const conditionRoles = { filter: "filters", part: "part", having: "having" } as const

const condition = ({ constraint, label }: TableRequirement, tool: Tool, step: Step): Service => {
  if (constraint === undefined || !("op" in constraint)) return notServed("there is no condition")
  const wanted = conditionOf(constraint)
  const filters = valueOf(tool, step.params, conditionRoles[constraint.kind])
  const holds = Array.isArray(filters) && filters.some((one) => sameJson(one, wanted))
  return holds ? fulfils : notServed(`${step.id} does not test whether ${label}`)
}

const timePart = ({ constraint }: TableRequirement, tool: Tool, step: Step): Service =>
  constraint?.kind === "time_part" &&
  valueOf(tool, step.params, "time_part") === constraint.part &&
  namesIn(tool, step.params, ["time_column"]).includes(constraint.column)
    ? fulfils
    : notServed(`${step.id} does not add this part of the date`)

const topN = (requirement: TableRequirement, tool: Tool, step: Step): Service => {
  if (requirement.constraint?.kind !== "top_n") return notServed("the number is missing")
  const { n, order, per } = requirement.constraint
  if (valueOf(tool, step.params, "limit") !== n)
    return notServed(`${step.id} does not stop at ${n}`)
  const within = namesIn(tool, step.params, ["within"])
  if (per !== undefined && !within.includes(per))
    return notServed(`${step.id} does not stop per ${per}`)
  if (per === undefined && within.length > 0)
    return notServed(`${step.id} stops per ${within.join(", ")}`)
  const direction = valueOf(tool, step.params, "order")
  const fits = direction === undefined || direction === order
  return fits ? fulfils : notServed(`${step.id} is not in ${order} order`)
}

const ofKind = (
  requirement: TableRequirement,
  tool: Tool,
  step: Step,
  situation: TableSituation,
): Service => {
  const { kind, label } = requirement
  switch (kind) {
    case "metrics":
      return metrics(label, tool, step)
    case "group_by":
      return groupBy(label, tool, step)
    case "time":
      return time(tool, step, situation)
    case "analysis":
      return analysis(label as Analysis, tool, step, situation)
    case "outputs":
      return tool.outputs.includes(label) ? fulfils : notServed(`${tool.name} gives no ${label}`)
    case "filter":
    case "part":
    case "having":
      return condition(requirement, tool, step)
    case "time_part":
      return timePart(requirement, tool, step)
    case "top_n":
      return topN(requirement, tool, step)
    case "window":
    case "horizon":
      return String(valueOf(tool, step.params, kind)) === label
        ? fulfils
        : notServed(`${step.id} has no ${kind} of ${label}`)
    case "chart_type":
      return drawsChart(tool) && (can(tool, label) || tool.name.includes(label))
        ? fulfils
        : notServed(`${tool.name} draws no ${label} chart`)
    case "exclude":
      return notServed("a wish to leave something out needs no step")
  }
}

/** How a step serves a requirement, cited or not. */
export const serves = (
  requirement: TableRequirement,
  step: Step,
  situation: TableSituation,
): Service => {
  const tool = findTool(situation.tools, step.tool)
  if (tool === undefined) return notServed(`there is no tool ${step.tool}`)
  const only = specialtiesOf(tool)
  const wanted = only.some((one) => situation.requirements.analysis.includes(one))
  if (only.length > 0 && !wanted) {
    return notServed(`${tool.name} does ${only.join(", ")}, which no requirement asks for`)
  }
  return ofKind(requirement, tool, step, situation)
}
