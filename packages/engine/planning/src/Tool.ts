/** Tool metadata that planning reads: capabilities, slots, declared arguments. */
import type { CalledTool, Tool } from "@planloom/plugin/effect"
import { relaxMembers } from "@planloom/schema"
import { isObject } from "./Json.ts"

export type PropertySchema = { readonly [keyword: string]: unknown }

type Properties = ReadonlyArray<readonly [string, PropertySchema]>

/** Cached per tool: planning reads these thousands of times. */
const properties = new WeakMap<CalledTool, Properties>()
const capabilities = new WeakMap<Tool, ReadonlySet<string>>()

const word = (text: string) => text.toLowerCase().replaceAll(/[\s-]+/g, "_")

const readProperties = ({ params }: CalledTool): Properties => {
  const given = isObject(params) ? params.properties : undefined
  return Object.entries(isObject(given) ? given : {}).flatMap(([name, schema]) =>
    isObject(schema) ? [[name, schema] as const] : [],
  )
}

/** The declared arguments, in the order of the schema. */
export const propertiesOf = (tool: CalledTool): Properties => {
  const known = properties.get(tool) ?? readProperties(tool)
  properties.set(tool, known)
  return known
}

/** Names of the arguments that must be there. */
export const requiredOf = (tool: CalledTool): ReadonlyArray<string> =>
  isObject(tool.params) && Array.isArray(tool.params.required)
    ? tool.params.required.filter((name) => typeof name === "string")
    : []

/**
 * Whether an undeclared argument is an error: the schema declares its arguments (or that it has no arguments)
 * and does not allow more explicitly. A tool without a schema accepts any argument.
 */
export const refusesUndeclared = ({ params }: CalledTool): boolean => {
  if (!isObject(params)) return params === false
  const { additionalProperties: more, properties: declared } = params
  if (more === true || isObject(more)) return false
  return more === false || isObject(declared)
}

/** Cached per tool, so that what is cached per tool holds for it, too. */
const planned = new WeakMap<Tool, Tool>()

/**
 * A tool as a plan calls it, before its call is prepared: a param that it normalizes may be written as anything, and one
 * that it fills may be left out.
 */
export const plannedTool = (tool: Tool): Tool => {
  const { defaults = {}, normalize = {}, params } = tool
  const free = Object.keys(normalize)
  const optional = Object.keys(defaults)
  if (free.length === 0 && optional.length === 0) return tool
  const made = planned.get(tool) ?? { ...tool, params: relaxMembers(params, { free, optional }) }
  planned.set(tool, made)
  return made
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
export const can = (tool: Tool, ...wanted: ReadonlyArray<string>): boolean => {
  const own = capabilities.get(tool) ?? new Set(tool.capabilities.map(word))
  capabilities.set(tool, own)
  return wanted.some((capability) => own.has(capability))
}

/** Whether a call changes something outside the run; a tool without `effect` counts as one that does. */
export const writes = ({ effect }: Pick<Tool, "effect">): boolean =>
  effect !== "none" && effect !== "read"

export const findTool = (tools: ReadonlyArray<Tool>, name: string): Tool | undefined =>
  tools.find((tool) => tool.name === name)
