/** Why the schema of a component cannot be used. */
import { schemaProblems, type SchemaProblem } from "@planloom/schema"

/** A component outlives the workflows that load it, so each of its schemas is examined once. */
const examined = new WeakMap<object, SchemaProblem | null>()

/** Undefined for a usable schema. Patterns are left to the first value: reading them takes a library. */
export const schemaFault = (schema: unknown): SchemaProblem | undefined => {
  if (typeof schema !== "object" || schema === null) return faultOf(schema)
  let fault = examined.get(schema)
  if (fault === undefined) examined.set(schema, (fault = faultOf(schema) ?? null))
  return fault ?? undefined
}

const faultOf = (schema: unknown): SchemaProblem | undefined =>
  schemaProblems(schema, { patterns: false })[0]
