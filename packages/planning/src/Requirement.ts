/** One atomic requirement, the unit that steps cite and coverage counts. */
import type { Json } from "./Json.ts"
import type { Constraint, Filter, Requirements } from "./Requirements.ts"

export const requirementKinds = [
  "metrics",
  "group_by",
  "time",
  "analysis",
  "outputs",
  "filter",
  "top_n",
  "window",
  "horizon",
  "exclude",
  "chart_type",
] as const
export type RequirementKind = (typeof requirementKinds)[number]

export interface Requirement {
  /** `kind:label`, unique in a list: `group_by:region`, `time:month`, `filter:region = North`. */
  readonly id: string
  readonly kind: RequirementKind
  readonly label: string
  /** Whether a plan without a step for it is wrong. A text answer and a kind of chart are wishes. */
  readonly must: boolean
  /** The structured constraint, where the label alone does not hold it. */
  readonly constraint?: Constraint
}

const shown = (value: Json): string =>
  Array.isArray(value) ? value.map(shown).join(", ") : String(value)

const filterLabel = ({ column, op, value }: Filter): string => {
  if (op === "is_null") return `${column} is missing`
  if (op === "is_not_null") return `${column} is present`
  return `${column} ${op.replaceAll("_", " ")} ${shown(value ?? null)}`
}

const ofConstraint = (constraint: Constraint): Requirement => {
  switch (constraint.kind) {
    case "filter":
      return atom("filter", filterLabel(constraint), true, constraint)
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

const atom = (
  kind: RequirementKind,
  label: string,
  must = true,
  constraint?: Constraint,
): Requirement => ({
  id: `${kind}:${label}`,
  kind,
  label,
  must,
  ...(constraint === undefined ? {} : { constraint }),
})

const listed = new WeakMap<Requirements, ReadonlyArray<Requirement>>()

/** Every atomic requirement, in the order of the schema, without repetition. */
export const listRequirements = (requirements: Requirements): ReadonlyArray<Requirement> => {
  const found = listed.get(requirements) ?? makeList(requirements)
  listed.set(requirements, found)
  return found
}

const makeList = (requirements: Requirements): ReadonlyArray<Requirement> => {
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
  return [...new Map(all.map((one) => [one.id, one])).values()]
}

/** Whether a template's pattern (`group_by`, or `analysis:trend`) means this requirement. */
export const matchesPattern = (pattern: string, requirement: Requirement): boolean =>
  pattern === requirement.kind || pattern === requirement.id
