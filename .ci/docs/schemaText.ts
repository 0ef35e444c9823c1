/** JSON Schemas in words: the fields of an object, each with its type. */
import type { Json, JsonSchema } from "@planloom/plugin/effect"
import { describeType, typeOfSchema } from "../../packages/engine/expression/src/check.ts"
import { isObject } from "../../packages/contract/schema/src/index.ts"

/** For example `text` (text), `value`? (any value); empty for a schema without named fields. */
export const fieldsText = (schema: JsonSchema): string => {
  const { properties, required = [] } = schema as {
    readonly properties?: { readonly [name: string]: JsonSchema }
    readonly required?: ReadonlyArray<string>
  }
  return Object.entries(properties ?? {})
    .map(([name, field]) => {
      const mark = required.includes(name) ? "" : "?"
      return `\`${name}\`${mark} (${typeText(field)})`
    })
    .join(", ")
}

const typeText = (schema: JsonSchema): string => {
  const text = describeType(typeOfSchema(schema)).replaceAll("|", "\\|")
  const about = isObject(schema as Json) ? (schema as { description?: string }).description : ""
  return about === undefined || about === "" ? text : `${text}: ${about.replaceAll("|", "\\|")}`
}
