/** What planning knows of a tool: its capabilities, the data it takes and gives, the roles of its arguments. */
import { isObject } from "./Json.ts"
import type { Json, JsonObject, JsonSchema } from "./Json.ts"

/** The part of a catalog entry that planning reads. */
export interface Tool {
  readonly name: string
  readonly summary: string
  /** Free words. Those of `capabilitiesOf` (serves.ts) and every analysis label have a meaning here. */
  readonly capabilities: ReadonlyArray<string>
  /** Slot → data type (`table`, `chart` …); filled by reference to a step or to `source`. */
  readonly inputs: { readonly [slot: string]: string }
  /** JSON Schema of an object; a property may carry `role`, and has it anyway when it is named so. */
  readonly params: JsonSchema
  /** Data types it gives, the main one first. */
  readonly outputs: ReadonlyArray<string>
  readonly group?: string
  readonly when_to_use?: string
  readonly examples?: ReadonlyArray<string>
  readonly keywords?: ReadonlyArray<string>
}

/**
 * What may fill an argument. `metrics`, `column` and `y` take columns that are measured; `group_by`,
 * `x`, `color` and `facet` columns that divide; a tool with `group_by` and `agg` is an aggregate: the
 * table it gives has the columns it was grouped by, the time column, and its metrics, all under
 * their own names (plus `count` when it counts rows).
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

type PropertySchema = { readonly [keyword: string]: unknown }

interface Traits {
  readonly properties: ReadonlyArray<readonly [string, PropertySchema]>
  readonly byRole: ReadonlyMap<Role, readonly [string, PropertySchema]>
  readonly capabilities: ReadonlySet<string>
}

/** Read once per tool: planning asks for these thousands of times. */
const known = new WeakMap<Tool, Traits>()

const word = (text: string) => text.toLowerCase().replaceAll(/[\s-]+/g, "_")

const readTraits = (tool: Tool): Traits => {
  const given = isObject(tool.params) ? tool.params.properties : undefined
  const properties = Object.entries(isObject(given) ? given : {}).flatMap(([name, schema]) =>
    isObject(schema) ? [[name, schema] as const] : [],
  )
  const byRole = new Map<Role, readonly [string, PropertySchema]>()
  for (const property of properties) {
    const role = roleOf(...property)
    if (role !== undefined && !byRole.has(role)) byRole.set(role, property)
  }
  return { properties, byRole, capabilities: new Set(tool.capabilities.map(word)) }
}

const traitsOf = (tool: Tool): Traits => {
  const traits = known.get(tool) ?? readTraits(tool)
  known.set(tool, traits)
  return traits
}

/** The declared arguments, in the order of the schema. */
export const propertiesOf = (tool: Tool): ReadonlyArray<readonly [string, PropertySchema]> =>
  traitsOf(tool).properties

/** Names of the arguments that must be there. */
export const requiredOf = (tool: Tool): ReadonlyArray<string> =>
  isObject(tool.params) && Array.isArray(tool.params.required)
    ? tool.params.required.filter((name) => typeof name === "string")
    : []

/** The role of an argument: as annotated, else by its name when that is a role's. */
export const roleOf = (name: string, schema: PropertySchema): Role | undefined => {
  const role = schema.role ?? (name === "agg_func" ? "agg" : name)
  return roles.find((one) => one === role)
}

/** The first argument that has this role, if any. */
export const paramOf = (tool: Tool, role: Role): readonly [string, PropertySchema] | undefined =>
  traitsOf(tool).byRole.get(role)

export const hasRole = (tool: Tool, role: Role): boolean => paramOf(tool, role) !== undefined

/** What the call gives for a role; its schema's default when it gives nothing. */
export const valueOf = (tool: Tool, params: JsonObject, role: Role): Json | undefined => {
  const param = paramOf(tool, role)
  if (param === undefined) return undefined
  const [name, schema] = param
  return Object.hasOwn(params, name) ? params[name] : (schema.default as Json | undefined)
}

/** The names a call gives for any of the roles, single values and lists alike. */
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

/** Whether the tool says it can do one of these. */
export const can = (tool: Tool, ...capabilities: ReadonlyArray<string>): boolean => {
  const own = traitsOf(tool).capabilities
  return capabilities.some((capability) => own.has(capability))
}

/** A chart tool draws; everything else computes. */
export const drawsChart = (tool: Tool): boolean => tool.outputs.includes("chart")

/** A tool that turns many rows into one per group. */
export const aggregates = (tool: Tool): boolean =>
  hasRole(tool, "group_by") && hasRole(tool, "agg") && tool.outputs[0] === "table"

export const findTool = (tools: ReadonlyArray<Tool>, name: string): Tool | undefined =>
  tools.find((tool) => tool.name === name)
