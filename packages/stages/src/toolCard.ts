/** A compact view of a tool for a model, without its whole schema. */
import type { JsonObject, Tool } from "@planloom/plugin/effect"
import { propertiesOf } from "@planloom/planning"

const typeOf = (schema: { readonly [keyword: string]: unknown }): string => {
  if (Array.isArray(schema.enum)) return schema.enum.map(String).join("|")
  const type = Array.isArray(schema.type) ? schema.type.join("|") : String(schema.type ?? "any")
  const items = schema.items as { readonly type?: unknown } | undefined
  return type === "array" ? `${String(items?.type ?? "any")}[]` : type
}

/** Name, summary, data in and out, and each argument with its type; `*` marks required arguments. */
export const toolCard = (tool: Tool): JsonObject => {
  const schema = tool.params as { readonly required?: unknown }
  const required = Array.isArray(schema.required) ? schema.required : []
  return {
    name: tool.name,
    summary: tool.summary,
    capabilities: tool.capabilities,
    inputs: tool.inputs,
    params: Object.fromEntries(
      propertiesOf(tool).map(([name, property]) => [
        required.includes(name) ? `${name}*` : name,
        typeOf(property),
      ]),
    ),
    outputs: tool.outputs,
  }
}
