/** Schema of a value that does not exist yet → a value that names the expression it stands for. */
import type { Json, JsonObject, JsonSchema } from "@planloom/plugin/effect"

/** A reference below the value, `["text"]` for `stages.plan.output.text`. */
type Read = ReadonlyArray<string>

/** Most levels of a schema that are filled in; a recursive one has no end. */
const MAX_DEPTH = 6

/** `reads` are what expressions read of the value: where the schema describes no type, it has these fields. */
export const placeholderOf = (
  given: JsonSchema,
  path: string,
  reads: ReadonlyArray<Read>,
  root: JsonSchema = given,
  depth = 0,
): Json => {
  const schema = resolved(given, root)
  const constant = schema["const"] ?? (schema["enum"] as ReadonlyArray<Json> | undefined)?.[0]
  if (constant !== undefined) return constant
  const inner = (one: JsonSchema, key: string, below: ReadonlyArray<Read>) =>
    placeholderOf(one, key, below, root, depth + 1)
  const [choice] = (schema["anyOf"] ?? schema["oneOf"] ?? []) as ReadonlyArray<JsonSchema>
  if (choice !== undefined) return inner(choice, path, reads)
  const fields = { ...(schema["properties"] as { [name: string]: JsonSchema } | undefined) }
  for (const [field] of reads) if (field !== undefined) fields[field] ??= true
  const type = [schema["type"]].flat()[0] ?? (Object.keys(fields).length > 0 ? "object" : "string")
  switch (type) {
    case "object":
      return depth > MAX_DEPTH
        ? {}
        : Object.fromEntries(
            Object.entries(fields).map(([name, field]) => [
              name,
              inner(field, `${path}.${name}`, below(reads, name)),
            ]),
          )
    case "array":
      return depth > MAX_DEPTH
        ? []
        : [inner((schema["items"] as JsonSchema | undefined) ?? true, `${path}[0]`, [])]
    case "number":
    case "integer":
      return (schema["minimum"] as number | undefined) ?? 0
    case "boolean":
      return false
    case "null":
      return null
    default:
      return `‹${path}›`
  }
}

export const below = (reads: ReadonlyArray<Read>, name: string): ReadonlyArray<Read> =>
  reads.flatMap(([first, ...rest]) => (first === name && rest.length > 0 ? [rest] : []))

/** References that lead in a circle end as a schema of anything. */
const resolved = (given: JsonSchema, root: JsonSchema): JsonObject => {
  let schema = given
  for (let hops = 0; hops < MAX_DEPTH; hops++) {
    if (typeof schema === "boolean") return {}
    const { $ref } = schema as { readonly $ref?: string }
    if ($ref === undefined) return schema as JsonObject
    const [, ...keys] = $ref.split("/")
    let target: unknown = root
    for (const key of keys) target = (target as { [key: string]: unknown } | undefined)?.[key]
    schema = (target ?? true) as JsonSchema
  }
  return {}
}
