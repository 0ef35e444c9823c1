/** The fields that an approval shows of a call, with their labels: those of its preview, or all of its params. */
import type { Json, JsonObject, JsonSchema, ShownField, Tool } from "@planloom/plugin/effect"
import { wordingIn } from "@planloom/plugin/texts"
import { isObject } from "@planloom/schema"
import { oneLine } from "./summaryOf.ts"

/** More could not be read before an answer. */
export const MAX_FIELDS = 100
const MAX_VALUE_CHARACTERS = 2000

/** Those that `approval` names first, then the others as the schema lists them: none is left out. */
export const shownFields = (
  tool: Tool,
  values: JsonObject,
  language: string | undefined,
): ReadonlyArray<ShownField> => {
  const { approval = {}, approval_fields: schema = tool.params, labels = {} } = tool
  const properties = propertiesOf(schema)
  const names = new Set([
    ...Object.keys(approval),
    ...Object.keys(properties),
    ...Object.keys(values),
  ])
  return [...names].flatMap((name) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) return []
    const wording = ownMember(approval, name) ?? ownMember(labels, name)
    const label = wording === undefined ? titleOf(properties, name) : wordingIn(wording, language)
    return [{ name, label, value: bounded(value) }]
  })
}

/** In one line, for a question: `amount 200, currency MXN`. A value that could pass for several fields is quoted. */
export const fieldsText = (fields: ReadonlyArray<ShownField>): string =>
  fields.map(({ label, value }) => `${label} ${valueText(value)}`).join(", ")

const valueText = (value: Json): string => {
  if (typeof value !== "string") return oneLine(JSON.stringify(value))
  return /[\n"]|, /.test(value) ? JSON.stringify(oneLine(value)) : oneLine(value)
}

/** The value itself, or the start of its text with the number of characters that are missing. */
const bounded = (value: Json): Json => {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  const more = text.length - MAX_VALUE_CHARACTERS
  return more > 0 ? `${text.slice(0, MAX_VALUE_CHARACTERS)}… (${more} more characters)` : value
}

const propertiesOf = (schema: JsonSchema): { readonly [name: string]: unknown } => {
  const properties = typeof schema === "object" ? schema["properties"] : undefined
  return isObject(properties) ? properties : {}
}

const titleOf = (properties: { readonly [name: string]: unknown }, name: string): string => {
  const schema = ownMember(properties, name)
  const title = isObject(schema) ? schema["title"] : undefined
  return typeof title === "string" && title !== "" ? title : name.replaceAll("_", " ")
}

const ownMember = <A>(of: { readonly [name: string]: A }, name: string): A | undefined =>
  Object.hasOwn(of, name) ? of[name] : undefined
