/** A value that fits a simple schema: defaults, first values of enums, required members. */
import type { Json, JsonSchema } from "@planloom/plugin/effect"

interface Simple {
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly default?: Json
  readonly enum?: ReadonlyArray<Json>
  readonly properties?: { readonly [name: string]: JsonSchema }
  readonly required?: ReadonlyArray<string>
  readonly type?: string
}

const samples: { readonly [type: string]: Json } = {
  string: "text",
  number: 2,
  integer: 2,
  boolean: true,
  array: [],
}

export const sampleOf = (schema: JsonSchema): Json => {
  const {
    anyOf,
    default: given,
    enum: values,
    properties = {},
    required = [],
    type = "",
  } = schema as Simple
  if (given !== undefined) return given
  if (anyOf !== undefined) return sampleOf(anyOf[0]!)
  if (values !== undefined) return values[0]!
  return type === "object"
    ? Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? true)]))
    : (samples[type] ?? "true")
}
