/** What a successful answer of an operation is: its schema, and whether it is JSON or text. */
import type { JsonSchema } from "@planloom/plugin/effect"
import { canonicalJson } from "@planloom/schema"
import type { Json } from "@planloom/plugin/effect"
import { isJson } from "./readParameters.ts"
import { SchemaReader } from "./SchemaReader.ts"
import { below, entriesOf, type Part, type Spec } from "./Spec.ts"

export interface ReadResult {
  readonly result?: JsonSchema
  readonly response?: "text"
}

/** Answers of several statuses may differ: each of their schemas is accepted. */
export const readResult = (spec: Spec, operation: Part): ReadResult => {
  const reader = new SchemaReader(spec, "answer")
  const schemas: Array<JsonSchema> = []
  let texts = 0
  const answers = entriesOf(below(operation, "responses")).filter(([status]) =>
    /^2(\d\d|XX)$/i.test(status),
  )
  for (const [, written] of answers) {
    const part = spec.follow(written)
    if (part === undefined) return {}
    const contents = entriesOf(below(part, "content"))
    const json = contents.find(([type]) => isJson(type))
    if (json !== undefined) {
      const schema = below(json[1], "schema")
      if (schema.value === undefined) return {}
      schemas.push(reader.read(schema))
    } else if (contents.length === 0) schemas.push({ type: "null" })
    else {
      texts++
      const types = contents.map(([type]) => type)
      if (!types.some((type) => /^text\/|xml|yaml|csv/i.test(type))) {
        spec.skip(
          below(part, "content"),
          `an answer of the type ${types.join(", ")} is neither JSON nor text; a call with it fails`,
        )
      }
    }
  }
  if (texts > 0) return texts === answers.length ? { response: "text" } : {}
  const distinct = [...new Map(schemas.map((one) => [canonicalJson(one as Json), one])).values()]
  // An answer without a described content may still have one.
  const [only] = distinct
  if (only === undefined || (distinct.length === 1 && isNull(only))) return {}
  return { result: reader.complete(distinct.length === 1 ? only : { anyOf: distinct }) }
}

const isNull = (schema: JsonSchema): boolean =>
  typeof schema === "object" && schema["type"] === "null"
