/** A call in words for a reader who knows neither tools nor params: `“fraud rings” (sessions, Wednesday)`. */
import type { Json, JsonObject, Tool } from "@planloom/plugin/effect"
import { titleOfTool } from "@planloom/plugin/texts"
import { propertiesOf } from "@planloom/planning"
import { isObject } from "@planloom/schema"
import { modesOf } from "./modesOf.ts"

export interface CallInWords {
  readonly tool: string
  readonly params: JsonObject
}

/** Numbers and modes say how a tool works, not what is looked for, and are left out. */
export const spokenCall = (
  { params, tool: name }: CallInWords,
  tools: ReadonlyArray<Tool>,
): string => {
  const tool = tools.find((one) => one.name === name)
  const schemas = new Map(tool === undefined ? [] : propertiesOf(tool))
  const modes = tool === undefined ? new Map<string, unknown>() : modesOf(tool)
  const isQuery = (param: string): boolean => {
    const schema = schemas.get(param)
    return isObject(schema) && (schema as JsonObject)["role"] === "query"
  }
  const said = Object.entries(params).filter(([param]) => !modes.has(param))
  const queries = said.filter(([param]) => isQuery(param)).flatMap(([, value]) => textsIn(value))
  const others = said.filter(([param]) => !isQuery(param)).flatMap(([, value]) => textsIn(value))
  if (queries.length > 0) {
    const where = others.length === 0 ? "" : ` (${others.join(", ")})`
    return `${queries.map(quoted).join(", ")}${where}`
  }
  const title = titleOfTool(tool ?? { name }, undefined)
  return others.length === 0 ? title : `${title}: ${others.map(quoted).join(", ")}`
}

const quoted = (text: string): string => `“${text}”`

/** Texts of a value. What another step gives is not known yet. */
const textsIn = (value: Json): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  if (Array.isArray(value)) return value.flatMap((one: Json) => textsIn(one))
  if (!isObject(value) || "$from" in value) return []
  return Object.values(value as JsonObject).flatMap(textsIn)
}
