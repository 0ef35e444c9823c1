/** Chooses how JSON is requested, best first: natively, as the arguments of a tool, as text. */
import type { JsonSchema, ModelRequest } from "@planloom/plugin/effect"
import { answerTool, type AnswerTool } from "@planloom/provider-kit"
import type { AnthropicOptions } from "./options.ts"
import { isReasoning } from "./reasoning.ts"

type ObjectSchema = Exclude<JsonSchema, boolean>

export type OutputForm =
  | { readonly form: "native"; readonly schema: ObjectSchema }
  | ({ readonly form: "tool" } & AnswerTool)
  | { readonly form: "text" }

/** Closes every object and moves unsupported keywords into descriptions; throws for schemas it cannot convert. */
export type NarrowSchema = (schema: ObjectSchema) => ObjectSchema

/**
 * Native output closes every object, so schemas with open objects use a forced tool, unless the request asks for
 * native output (some models refuse a forced tool). Other tools and thinking rule out a forced tool: then JSON is
 * requested as text, which the engine parses.
 */
export const outputForms = (
  request: ModelRequest,
  { structured }: AnthropicOptions,
  narrow: NarrowSchema,
): ReadonlyArray<OutputForm> => {
  const { output } = request
  const wanted = structured ?? output?.form
  if (output === undefined || wanted === "text") return [{ form: "text" }]
  const native = wanted === "tool" ? undefined : narrowed(output.schema, narrow)
  const tool = wanted === "json_schema" || isReasoning(request) ? undefined : answerTool(request)
  return [
    ...(native === undefined ? [] : [{ form: "native", schema: native } as const]),
    ...(tool === undefined ? [] : [{ form: "tool", ...tool } as const]),
    { form: "text" },
  ]
}

const narrowed = (schema: JsonSchema, narrow: NarrowSchema): ObjectSchema | undefined => {
  if (!isClosed(schema)) return undefined
  try {
    return narrow(schema as ObjectSchema)
  } catch {
    // A schema without types.
    return undefined
  }
}

/** Whether closing every object loses no keys that the schema allows. */
const isClosed = (schema: JsonSchema): boolean => {
  if (typeof schema === "boolean") return false
  if ("definitions" in schema || "patternProperties" in schema || "not" in schema) return false
  if (schema["type"] === "object") {
    const { additionalProperties: more, properties } = schema
    const named = Object.keys((properties as object | undefined) ?? {}).length > 0
    if (more === undefined ? !named : more !== false) return false
  }
  return subschemas(schema).every(isClosed)
}

const subschemas = (schema: ObjectSchema): ReadonlyArray<JsonSchema> => {
  const maps = ["properties", "$defs"].flatMap((key) =>
    Object.values((schema[key] as object) ?? {}),
  )
  const lists = ["anyOf", "oneOf", "allOf"].flatMap(
    (key) => (schema[key] as ReadonlyArray<JsonSchema>) ?? [],
  )
  const items = schema["items"]
  return [
    ...maps,
    ...lists,
    ...(items === undefined ? [] : [items as JsonSchema]),
  ] as ReadonlyArray<JsonSchema>
}
