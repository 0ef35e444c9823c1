/** Fills the arguments of a call by their roles, from the requirements and the data. */
import type { Json, JsonObject, Tool } from "@planloom/plugin/effect"
import { propertiesOf, requiredOf } from "@planloom/planning"
import { drawsChart, paramOf, roleOf } from "../rules/ToolRoles.ts"
import { Filling } from "./Filling.ts"
import type { FillContext } from "./Filling.ts"
import type { Schema } from "./argumentShape.ts"

export interface Filled {
  readonly params: JsonObject
  /** Required arguments without a value. */
  readonly missing: ReadonlyArray<string>
  /** Choices that the question leaves open. */
  readonly notes: ReadonlyArray<string>
  /** Those of them that a reader must know to interpret the result. */
  readonly assumptions: ReadonlyArray<string>
}

/** A list within the schema's bounds: the first of too many, nothing of too few. */
const fitted = (value: Json | undefined, { minItems, maxItems }: Schema): Json | undefined => {
  if (!Array.isArray(value)) return value
  if (typeof minItems === "number" && value.length < minItems) return undefined
  return typeof maxItems === "number" ? value.slice(0, maxItems) : value
}

/** Keeps `given` arguments; fills the rest by role, else by the schema's default. */
export const fillParams = (tool: Tool, given: JsonObject, ground: FillContext): Filled => {
  const filling = new Filling(tool, ground)
  const required = requiredOf(tool)
  const params: Record<string, Json> = {}
  for (const [name, schema] of propertiesOf(tool)) {
    const role = roleOf(name, schema)
    const must = required.includes(name)
    const found = role === undefined ? undefined : filling.value(role, schema, must)
    const value = Object.hasOwn(given, name) ? given[name] : fitted(found, schema)
    if (value !== undefined) params[name] = value
    else if (must && Object.hasOwn(schema, "default")) {
      params[name] = schema.default as Json
      filling.notes.push(`${name} ${JSON.stringify(schema.default)} unless asked otherwise`)
    }
  }
  // A chart needs an x axis, even if its schema does not require one.
  const axis = drawsChart(tool) ? paramOf(tool, "x")?.[0] : undefined
  const needed = axis === undefined || required.includes(axis) ? required : [...required, axis]
  const missing = needed.filter((name) => {
    const value = params[name]
    return value === undefined || (Array.isArray(value) && value.length === 0)
  })
  return {
    params,
    missing,
    notes: [...new Set(filling.notes)],
    assumptions: [...new Set(filling.assumptions)],
  }
}
