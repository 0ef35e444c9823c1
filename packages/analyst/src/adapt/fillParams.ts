/** The arguments of a call, from the roles of the tool's arguments, the requirements and the data. */
import type { Json, JsonObject, Tool } from "@planloom/plugin"
import { propertiesOf, requiredOf } from "@planloom/planning"
import { drawsChart, paramOf, roleOf } from "../rules/ToolRoles.ts"
import { Filling } from "./Filling.ts"
import type { Ground } from "./Filling.ts"
import type { Schema } from "./argumentShape.ts"

export interface Filled {
  readonly params: JsonObject
  /** Required arguments nothing was found for. */
  readonly missing: ReadonlyArray<string>
  /** Choices the question does not make. */
  readonly notes: ReadonlyArray<string>
  /** Those of them a reader must know to read the result right. */
  readonly assumptions: ReadonlyArray<string>
}

/** A list within the schema's bounds: the first of too many, nothing of too few. */
const fitted = (value: Json | undefined, { minItems, maxItems }: Schema): Json | undefined => {
  if (!Array.isArray(value)) return value
  if (typeof minItems === "number" && value.length < minItems) return undefined
  return typeof maxItems === "number" ? value.slice(0, maxItems) : value
}

/** What is `given` stays; the rest is filled by role, else by the schema's own default. */
export const fillParams = (tool: Tool, given: JsonObject, ground: Ground): Filled => {
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
  // A chart needs something to spread along, whether or not its schema insists.
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
