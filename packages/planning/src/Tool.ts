/** Tool metadata that planning reads: capabilities, slots, declared arguments. */
import type { Tool } from "@planloom/plugin/effect"
import { isObject } from "./Json.ts"

export type PropertySchema = { readonly [keyword: string]: unknown }

interface Traits {
  readonly properties: ReadonlyArray<readonly [string, PropertySchema]>
  readonly capabilities: ReadonlySet<string>
}

/** Cached per tool: planning reads these thousands of times. */
const known = new WeakMap<Tool, Traits>()

const word = (text: string) => text.toLowerCase().replaceAll(/[\s-]+/g, "_")

const readTraits = (tool: Tool): Traits => {
  const given = isObject(tool.params) ? tool.params.properties : undefined
  const properties = Object.entries(isObject(given) ? given : {}).flatMap(([name, schema]) =>
    isObject(schema) ? [[name, schema] as const] : [],
  )
  return { properties, capabilities: new Set(tool.capabilities.map(word)) }
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

/**
 * Whether an undeclared argument is an error: the schema declares its arguments (or that it has no arguments)
 * and does not allow more explicitly. A tool without a schema accepts any argument.
 */
export const refusesUndeclared = ({ params }: Tool): boolean => {
  if (!isObject(params)) return params === false
  const { additionalProperties: more, properties } = params
  if (more === true || isObject(more)) return false
  return more === false || isObject(properties)
}

export interface Slot {
  readonly name: string
  /** The data type it takes. */
  readonly type: string
  /** Declared as `table?`: the tool works without it. */
  readonly optional: boolean
}

/** Input slots for results of earlier steps, in declared order. */
export const slotsOf = (tool: Tool): ReadonlyArray<Slot> =>
  Object.entries(tool.inputs).map(([name, type]) => ({
    name,
    type: type.replace(/\?$/, ""),
    optional: type.endsWith("?"),
  }))

/** Whether the tool declares one of these capabilities. */
export const can = (tool: Tool, ...capabilities: ReadonlyArray<string>): boolean => {
  const own = traitsOf(tool).capabilities
  return capabilities.some((capability) => own.has(capability))
}

/** Whether a call changes something outside the run; a tool without `effect` counts as one that does. */
export const writes = ({ effect }: Tool): boolean => effect !== "none" && effect !== "read"

export const findTool = (tools: ReadonlyArray<Tool>, name: string): Tool | undefined =>
  tools.find((tool) => tool.name === name)
