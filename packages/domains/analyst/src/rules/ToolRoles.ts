/** Roles of a table tool's arguments: measures, groups, times, conditions. */
import type { Json, JsonObject, Tool } from "@planloom/plugin/effect"
import { propertiesOf } from "@planloom/planning"
import type { PropertySchema } from "@planloom/planning"

/**
 * The kind of value of an argument. `metrics`, `column` and `y` take columns that are measured; `group_by`,
 * `x`, `color` and `facet` columns that group; a tool with `group_by` and `agg` is an aggregate: the
 * table it gives has the columns it was grouped by, the time column, and its metrics, all under
 * their own names (plus `count` when it counts rows). A tool with the capability `per_group` gives one number per group
 * under its own name. `result` names a column that the tool adds to its table.
 */
export const roles = [
  "metrics",
  "column",
  "columns",
  "group_by",
  "agg",
  "time_column",
  "time_grain",
  "x",
  "y",
  "color",
  "facet",
  "filters",
  "part",
  "having",
  "time_part",
  "result",
  "limit",
  "order",
  "order_by",
  "within",
  "window",
  "horizon",
  "mode",
  "title",
] as const
export type Role = (typeof roles)[number]

type Param = readonly [name: string, schema: PropertySchema]

/** Cached per tool: planning reads these thousands of times. */
const known = new WeakMap<Tool, ReadonlyMap<Role, Param>>()

const readRoles = (tool: Tool): ReadonlyMap<Role, Param> => {
  const byRole = new Map<Role, Param>()
  for (const property of propertiesOf(tool)) {
    const role = roleOf(...property)
    if (role !== undefined && !byRole.has(role)) byRole.set(role, property)
  }
  return byRole
}

const rolesOf = (tool: Tool): ReadonlyMap<Role, Param> => {
  const found = known.get(tool) ?? readRoles(tool)
  known.set(tool, found)
  return found
}

/** The role of an argument: as annotated, else by its name when that is a role's. */
export const roleOf = (name: string, schema: PropertySchema): Role | undefined => {
  const role = schema.role ?? (name === "agg_func" ? "agg" : name)
  return roles.find((one) => one === role)
}

/** The first argument that has this role, if any. */
export const paramOf = (tool: Tool, role: Role): Param | undefined => rolesOf(tool).get(role)

export const hasRole = (tool: Tool, role: Role): boolean => paramOf(tool, role) !== undefined

/** The call's value for a role, else its schema's default. */
export const valueOf = (tool: Tool, params: JsonObject, role: Role): Json | undefined => {
  const param = paramOf(tool, role)
  if (param === undefined) return undefined
  const [name, schema] = param
  return Object.hasOwn(params, name) ? params[name] : (schema.default as Json | undefined)
}

/** The names in a call's arguments of these roles, from single values and lists. */
export const namesIn = (
  tool: Tool,
  params: JsonObject,
  wanted: ReadonlyArray<Role>,
): ReadonlyArray<string> =>
  wanted.flatMap((role) => {
    const value = valueOf(tool, params, role)
    if (typeof value === "string") return [value]
    return Array.isArray(value) ? value.filter((item) => typeof item === "string") : []
  })

/** A chart tool draws; everything else computes. */
export const drawsChart = (tool: Tool): boolean => tool.outputs.includes("chart")

/** Computes one number per group from rows, under its own name. */
export const isPerGroup = (tool: Tool): boolean => tool.capabilities.includes("per_group")

/** A tool that turns many rows into one per group. */
export const aggregates = (tool: Tool): boolean =>
  isPerGroup(tool) ||
  (hasRole(tool, "group_by") && hasRole(tool, "agg") && tool.outputs[0] === "table")
