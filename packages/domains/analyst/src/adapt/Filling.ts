/** Values for tool arguments by role: from the requirements first, then from the data profile. */
import { isMeasure } from "@planloom/tables"
import type { Column, DataProfile } from "@planloom/tables"
import type { Json, Tool } from "@planloom/plugin/effect"
import { can } from "@planloom/planning"
import type { Analysis, Constraint, Requirements } from "../requirements/Requirements.ts"
import type { TableRequirement } from "../requirements/listRequirements.ts"
import { aggregates, hasRole, isPerGroup } from "../rules/ToolRoles.ts"
import type { Role } from "../rules/ToolRoles.ts"
import type { Columns } from "../rules/columnsAt.ts"
import { conditionOf, functionsOf, perGroup, specialtiesOf } from "../rules/serves.ts"
import { choose, shaped, takesList } from "./argumentShape.ts"
import type { Schema } from "./argumentShape.ts"
import { grainFor } from "./grainFor.ts"
import { identifies, usualFunction } from "./usualFunction.ts"

export interface FillContext {
  readonly requirements: Requirements
  readonly profile: DataProfile
  /** Columns of the table that the call reads. */
  readonly columns: Columns
  /** The requirement that the call serves, if it serves one. */
  readonly goal?: TableRequirement | undefined
}

const ofKind = <K extends Constraint["kind"]>({ constraints }: Requirements, kind: K) =>
  constraints.filter((one): one is Extract<Constraint, { kind: K }> => one.kind === kind)

/** Measurable columns, without numeric identifiers. */
const measuresOf = (profile: DataProfile): ReadonlyArray<string> => {
  const all = profile.columns.filter(isMeasure).map(({ name }) => name)
  const real = all.filter((name) => !identifies(name))
  return real.length === 0 ? all : real
}

export class Filling {
  readonly notes: Array<string> = []
  readonly assumptions: Array<string> = []
  readonly tool: Tool
  readonly ground: FillContext

  constructor(tool: Tool, ground: FillContext) {
    this.tool = tool
    this.ground = ground
  }

  private here(names: ReadonlyArray<string>): ReadonlyArray<string> {
    const { columns } = this.ground
    return names.filter((name) => columns.names.includes(name))
  }

  private get goalAnalysis(): Analysis | undefined {
    const { goal } = this.ground
    return goal?.kind === "analysis" ? (goal.label as Analysis) : undefined
  }

  /** The part of a date that the call is to add. */
  private get part() {
    const constraint = this.ground.goal?.constraint
    return hasRole(this.tool, "time_part") && constraint?.kind === "time_part"
      ? constraint
      : undefined
  }

  /** Aggregating analyses, the goal's first. */
  private get functions(): ReadonlyArray<Analysis> {
    const asked = this.ground.requirements.analysis.filter((one) => functionsOf[one] !== undefined)
    const goal = this.goalAnalysis
    return goal !== undefined && functionsOf[goal] !== undefined ? [goal] : asked
  }

  /** Columns to measure; by default the measures of the data. */
  private metrics(required: boolean): ReadonlyArray<string> {
    const { requirements, profile, goal } = this.ground
    const first = goal?.kind === "metrics" ? [goal.label] : []
    const asked = this.here([...new Set([...first, ...requirements.metrics])])
    if (asked.length > 0) return asked
    const { names } = this.ground.columns
    const result = ["count", ...perGroup].find((one) => names.includes(one))
    if (result !== undefined) return [result]
    // A rate is of rows unless the question names a number.
    if (isPerGroup(this.tool) && !required) return []
    const counting = this.functions.length > 0 && this.functions.every((one) => one === "count")
    if (requirements.metrics.length > 0 || counting) return []
    // Without a measure, rows can always be counted.
    const counts = this.functions.length === 0 && !requirements.analysis.includes("ranking")
    // A forecast or an anomaly needs a measure.
    const bare = aggregates(this.tool) && specialtiesOf(this.tool).length === 0
    if (bare && counts && !required) return []
    const found = this.here(measuresOf(profile))
    const all = can(this.tool, "summarize", "statistics", "correlation") && !aggregates(this.tool)
    const chosen = all ? found : found.slice(0, 1)
    if (chosen.length > 0 && !all) {
      const note = `the question names no column to measure, so ${chosen.join(", ")}`
      this.notes.push(note)
      this.assumptions.push(note)
    }
    return chosen
  }

  private get groups(): ReadonlyArray<string> {
    return this.here(this.ground.requirements.group_by)
  }

  private get timeAsked(): boolean {
    const { time } = this.ground.requirements
    return time.column !== "" || time.grain !== "unknown"
  }

  /** The time axis: a column of dates or years. */
  private timeAxis(required: boolean): string | undefined {
    const { requirements, profile } = this.ground
    const wanted = requirements.time.column
    if (wanted !== "") return this.here([wanted])[0]
    if (!this.timeAsked && !required) return undefined
    const dates = profile.columns.filter(({ type }) => type === "date").map(({ name }) => name)
    return this.here(dates)[0]
  }

  /** Time that can be divided into intervals; numeric years group rows like any other column. */
  private timeColumn(required: boolean): string | undefined {
    const name = this.timeAxis(required)
    const column = this.ground.profile.columns.find((one) => one.name === name)
    return column?.type === "integer" || column?.type === "number" ? undefined : name
  }

  private timeGrain(schema: Schema, required: boolean): string | undefined {
    const { requirements, profile } = this.ground
    if (!this.timeAsked && !required) return undefined
    const { grain } = requirements.time
    if (grain !== "unknown") return choose(schema, [grain])
    const name = this.timeColumn(true)
    const column = profile.columns.find((one: Column) => one.name === name)
    if (column?.type !== "date") return undefined
    const fitting = grainFor(column)
    const chosen = choose(schema, [fitting])
    if (chosen !== undefined) this.notes.push(`the question names no interval, so by ${chosen}`)
    return chosen
  }

  private agg(schema: Schema): Json | undefined {
    const asked = this.functions.flatMap((one) => choose(schema, functionsOf[one] ?? []) ?? [])
    if (asked.length > 0) return takesList(schema) ? asked : asked[0]
    const metrics = this.metrics(false)
    const parts = this.ground.requirements.analysis.includes("share")
    // A share is of totals, whatever the column is called.
    const usual = metrics.length === 0 ? "count" : parts ? "total" : usualFunction(metrics)
    const chosen = choose(schema, functionsOf[usual] ?? [])
    if (chosen !== undefined) {
      this.notes.push(`the question does not say how to put values together, so ${chosen}`)
    }
    return chosen !== undefined && takesList(schema) ? [chosen] : chosen
  }

  private get scatters(): boolean {
    return can(this.tool, "correlation", "scatter")
  }

  /** Numbers to relate: those asked for; to one alone, all others. */
  private related(required: boolean): ReadonlyArray<string> {
    const names = this.metrics(required)
    const asked = this.ground.requirements.metrics.length
    if (!this.scatters || names.length !== 1 || asked !== 1) return names
    return [...new Set([...names, ...this.here(measuresOf(this.ground.profile))])]
  }

  /** Whether the question names this kind of chart. */
  private get isWished(): boolean {
    return ofKind(this.ground.requirements, "chart_type").some(({ chart }) => can(this.tool, chart))
  }

  private x(required: boolean): string | undefined {
    if (this.scatters) return this.related(true)[0]
    if (can(this.tool, "distribution", "histogram")) return this.metrics(true)[0]
    const time = this.timeAxis(required && can(this.tool, "time_series"))
    if (can(this.tool, "time_series")) return time ?? (this.isWished ? this.groups[0] : undefined)
    if (can(this.tool, "change")) return time ?? this.groups[0]
    return this.groups[0] ?? time
  }

  private y(schema: Schema): Json | undefined {
    const metrics = this.related(true)
    // A scatter plot has two coordinates; with more numbers some would be omitted silently.
    if (this.scatters) return metrics.length === 2 ? metrics[1] : undefined
    return metrics.length === 0 ? undefined : shaped(metrics, schema)
  }

  /** Groups, and the time, that x does not show already. */
  private get shades(): ReadonlyArray<string> {
    const x = hasRole(this.tool, "x") ? this.x(false) : undefined
    const time = this.timeAxis(false)
    return [...this.groups, ...(time === undefined ? [] : [time])].filter(
      (name, at, all) => name !== x && all.indexOf(name) === at,
    )
  }

  private groupBy(): ReadonlyArray<string> {
    const { requirements } = this.ground
    const time = this.timeColumn(false)
    const bare = aggregates(this.tool) && !hasRole(this.tool, "time_column")
    const extra = bare && time !== undefined && !requirements.group_by.includes(time) ? [time] : []
    return [...extra, ...this.groups].filter(
      (name) => !hasRole(this.tool, "time_column") || name !== time,
    )
  }

  private column(required: boolean): string | undefined {
    if (can(this.tool, "parse_datetime", "datetime")) return this.timeColumn(required)
    return this.metrics(required)[0]
  }

  private order(schema: Schema): string | undefined {
    const { requirements } = this.ground
    const [top] = ofKind(requirements, "top_n")
    if (top === undefined && !requirements.analysis.includes("ranking")) return undefined
    return choose(schema, top?.order === "asc" ? ["asc", "ascending"] : ["desc", "descending"])
  }

  /** The value for an argument of this role, if there is one. */
  value(role: Role, schema: Schema, required: boolean): Json | undefined {
    const { requirements } = this.ground
    const [top] = ofKind(requirements, "top_n")
    switch (role) {
      case "metrics":
      case "columns": {
        const names = this.related(required)
        return takesList(schema) ? (names.length === 0 && !required ? undefined : names) : names[0]
      }
      case "column":
        return this.column(required)
      case "group_by": {
        const names = this.groupBy()
        if (!takesList(schema)) return names[0]
        return names.length === 0 && !required ? undefined : names
      }
      case "agg":
        return this.agg(schema)
      case "time_column":
        return this.part?.column ?? this.timeColumn(required)
      case "time_grain":
        return this.timeColumn(required) === undefined
          ? undefined
          : this.timeGrain(schema, required)
      case "x":
        return this.x(required)
      case "y":
        return this.y(schema)
      case "color":
        return takesList(schema) ? this.shades : this.shades[0]
      case "facet":
        return this.shades[hasRole(this.tool, "color") ? 1 : 0]
      case "filters": {
        // One step filters for all later ones.
        if (!can(this.tool, "filter")) return undefined
        const filters = ofKind(requirements, "filter").map(conditionOf)
        return filters.length === 0 ? undefined : filters
      }
      case "part":
      case "having": {
        const conditions = ofKind(requirements, role).map(conditionOf)
        return conditions.length === 0 ? undefined : conditions
      }
      case "time_part":
        return this.part?.part
      case "result":
        return this.part?.as
      case "limit":
        return top?.n
      case "order":
        return this.order(schema)
      case "order_by":
        return this.here(top?.by === undefined ? [] : [top.by])[0] ?? this.metrics(required)[0]
      case "within":
        return top?.per === undefined ? undefined : shaped(this.here([top.per]), schema)
      case "window":
      case "horizon":
        return ofKind(requirements, role)[0]?.n
      case "mode": {
        const [wish] = ofKind(requirements, "chart_type")
        return choose(schema, wish === undefined ? [] : [wish.chart.replace(/_bar$/, "")])
      }
      case "title":
        return undefined
    }
  }
}
