/** Lists the atomic requirements of a question, as steps cite them and coverage counts them. */
import type { Json } from "@planloom/plugin/effect"
import type { Requirement } from "@planloom/planning"
import type { Condition, Constraint, Requirements } from "./Requirements.ts"

/** Kinds of requirement over tables, in planning order. */
export type TableKind =
  | "metrics"
  | "group_by"
  | "time"
  | "analysis"
  | "outputs"
  | "filter"
  | "part"
  | "having"
  | "time_part"
  | "top_n"
  | "window"
  | "horizon"
  | "exclude"
  | "chart_type"

/** A requirement over tables. A text answer and a kind of chart are wishes. */
export interface TableRequirement extends Requirement {
  readonly kind: TableKind
  /** The structured constraint, if the label does not express it. */
  readonly constraint?: Constraint
}

const shown = (value: Json): string =>
  Array.isArray(value) ? value.map(shown).join(", ") : String(value)

/** A condition in words. */
export const conditionLabel = ({ column, op, value }: Condition): string => {
  if (op === "is_null") return `${column} is missing`
  if (op === "is_not_null") return `${column} is present`
  return `${column} ${op.replaceAll("_", " ")} ${shown(value ?? null)}`
}

const ofConstraint = (constraint: Constraint): TableRequirement => {
  switch (constraint.kind) {
    case "filter":
    case "part":
    case "having":
      return atom(constraint.kind, conditionLabel(constraint), true, constraint)
    case "time_part":
      return atom("time_part", constraint.as, true, constraint)
    case "top_n":
      return atom(
        "top_n",
        `${constraint.order === "asc" ? "bottom" : "top"} ${constraint.n}${constraint.per === undefined ? "" : ` per ${constraint.per}`}`,
        true,
        constraint,
      )
    case "window":
    case "horizon":
      return atom(constraint.kind, String(constraint.n), true, constraint)
    case "exclude":
      return atom("exclude", constraint.output, true, constraint)
    case "chart_type":
      return atom("chart_type", constraint.chart, false, constraint)
  }
}

/** Search words for tools that serve it; empty to search for none. */
const queryFor = (kind: TableKind, label: string, { time }: Requirements): string => {
  switch (kind) {
    case "metrics":
      return `aggregate or summarize the numbers of ${label}`
    case "group_by":
      return `group by ${label}, aggregate per ${label}`
    case "time":
      return `time series by ${label}, time grain ${time.grain}`
    case "analysis":
      return label.replaceAll("_", " ")
    case "outputs":
      if (label === "text") return ""
      return label === "chart" ? "plot a chart" : `give a ${label}`
    case "filter":
      return "filter rows by a condition"
    case "part":
      return "share of the rows that meet a condition, rate in percent"
    case "having":
      return "keep groups whose numbers meet a condition"
    case "time_part":
      return `${label} of a date as a column`
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

/** Every plan has intermediate tables, so excluding tables forbids no step. */
const excluded = (output: string) => ({ excludes: output === "chart" ? { output } : {} })

const atom = (
  kind: TableKind,
  label: string,
  must = true,
  constraint?: Constraint,
): TableRequirement => ({
  id: `${kind}:${label}`,
  kind,
  label,
  must,
  ...(kind === "exclude" ? excluded(label) : {}),
  ...(constraint === undefined ? {} : { constraint }),
})

const listed = new WeakMap<Requirements, ReadonlyArray<TableRequirement>>()

/** Every atomic requirement, in the order of the schema, without repetition. */
export const listRequirements = (requirements: Requirements): ReadonlyArray<TableRequirement> => {
  const found = listed.get(requirements) ?? makeList(requirements)
  listed.set(requirements, found)
  return found
}

const makeList = (requirements: Requirements): ReadonlyArray<TableRequirement> => {
  const { time } = requirements
  const all = [
    ...requirements.metrics.map((name) => atom("metrics", name)),
    ...requirements.group_by.map((name) => atom("group_by", name)),
    ...(time.column === "" && time.grain === "unknown"
      ? []
      : [atom("time", time.grain === "unknown" ? time.column : time.grain)]),
    ...requirements.analysis.map((label) => atom("analysis", label)),
    ...requirements.outputs.map((label) => atom("outputs", label, label !== "text")),
    ...requirements.constraints.map(ofConstraint),
  ]
  const searched = all.map((one) => {
    const query = queryFor(one.kind, one.label, requirements)
    return query === "" ? one : { ...one, query }
  })
  return [...new Map(searched.map((one) => [one.id, one])).values()]
}
