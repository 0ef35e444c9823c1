/** TypeScript types of a workflow's inputs and outputs, for applications that embed it. */
import type { Json, JsonSchema } from "@planloom/plugin/effect"
import { schemaOfType } from "@planloom/expression/check"
import type { Definition } from "./Definition.ts"
import type { RunResources } from "./Resources.ts"
import { Analysis } from "./scope/Analysis.ts"

/**
 * The source of a module that exports one interface, named after the workflow: `DataAnalyst`. An output without a
 * schema has the type that its expression gives.
 */
export const typesOf = (definition: Definition, resources: RunResources): string => {
  const { examples: _, ...read } = resources
  const analysis = new Analysis(definition, read)
  const name = pascalCase(definition.name)
  const inputs = Object.entries(definition.inputs).map(([key, schema]) => ({
    key,
    schema,
    optional: typeof schema === "object" && "default" in schema,
  }))
  const outputs = Object.entries(definition.outputs).map(([key, { schema, value }]) => ({
    key,
    schema: isUntyped(schema) ? withInferred(schema, analysis, value) : schema,
    optional: false,
  }))
  return [
    `/** Types of the workflow "${definition.name}", written by \`planloom types\`. */`,
    `export interface ${name} {`,
    `  readonly inputs: ${members(inputs, "  ")}`,
    `  readonly outputs: ${members(outputs, "  ")}`,
    "}",
    "",
  ].join("\n")
}

const isUntyped = (schema: JsonSchema): boolean =>
  schema === true ||
  (typeof schema === "object" && Object.keys(schema).every((word) => word === "description"))

/** Keeps the description. */
const withInferred = (schema: JsonSchema, analysis: Analysis, value: Json): JsonSchema => {
  const inferred = schemaOfType(analysis.valueType(value, analysis.at({ at: "end" })))
  return typeof schema === "object" && typeof inferred === "object"
    ? { ...inferred, ...schema }
    : inferred
}

interface Member {
  readonly key: string
  readonly schema: JsonSchema
  readonly optional: boolean
}

const members = (list: ReadonlyArray<Member>, indent: string): string => {
  if (list.length === 0) return "{}"
  const inner = `${indent}  `
  const lines = list.map(
    ({ key, optional, schema }) =>
      `${docOf(schema, inner)}${inner}readonly ${propertyName(key)}${optional ? "?" : ""}: ${typeOf(schema, inner)}`,
  )
  return `{\n${lines.join("\n")}\n${indent}}`
}

const docOf = (schema: JsonSchema, indent: string): string => {
  const text = typeof schema === "object" ? schema["description"] : undefined
  return typeof text === "string"
    ? `${indent}/** ${text.replaceAll("*/", "* /").replaceAll(/\s+/g, " ").trim()} */\n`
    : ""
}

const typeOf = (schema: JsonSchema, indent: string): string => {
  if (schema === true) return "unknown"
  if (schema === false) return "never"
  const { anyOf, const: constant, enum: values, items, oneOf, type } = schema
  if (constant !== undefined) return JSON.stringify(constant)
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ")
  const union = anyOf ?? oneOf
  if (Array.isArray(union)) {
    return [...new Set(union.map((one) => typeOf(one as JsonSchema, indent)))].join(" | ")
  }
  if (Array.isArray(type)) {
    return type.map((one) => typeOf({ ...schema, type: one as string }, indent)).join(" | ")
  }
  switch (type) {
    case "string":
      return "string"
    case "number":
    case "integer":
      return "number"
    case "boolean":
      return "boolean"
    case "null":
      return "null"
    case "array":
      return `ReadonlyArray<${items === undefined ? "unknown" : typeOf(items as JsonSchema, indent)}>`
    case "object":
      return objectType(schema, indent)
    default:
      return "unknown"
  }
}

const objectType = (schema: { readonly [keyword: string]: unknown }, indent: string): string => {
  const properties = schema["properties"] as { readonly [key: string]: JsonSchema } | undefined
  const additional = schema["additionalProperties"] as JsonSchema | undefined
  if (properties === undefined) {
    const value = additional === undefined ? "unknown" : typeOf(additional, indent)
    return `{ readonly [key: string]: ${value} }`
  }
  const required = new Set((schema["required"] ?? []) as ReadonlyArray<string>)
  return members(
    Object.entries(properties).map(([key, inner]) => ({
      key,
      schema: inner,
      optional: !required.has(key),
    })),
    indent,
  )
}

const propertyName = (key: string) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key))

const pascalCase = (name: string) =>
  name.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
