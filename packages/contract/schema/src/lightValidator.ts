/** Validator for almost every schema, built from closures: loads nothing and generates no code. */
import {
  all,
  anything,
  type Check,
  type Compiling,
  issuesOf,
  NeedsAjv,
  nothing,
} from "./check/Check.ts"
import { checkArray } from "./check/checkArray.ts"
import { checkCombination } from "./check/checkCombination.ts"
import { checkObject } from "./check/checkObject.ts"
import { checkScalar, checkType } from "./check/checkScalar.ts"
import { dialectOf } from "./dialect.ts"
import { newerThanDraft07 } from "./keywords.ts"
import { SchemaRejected, schemaProblems } from "./problems.ts"
import { targetOf } from "./reference.ts"
import type { JsonSchema, SchemaObject, Validate } from "./Schema.ts"
import { bounded } from "./visits.ts"

/** Keywords that only Ajv supports. */
const onlyAjv = new Set([
  "$anchor",
  "$async",
  "$dynamicAnchor",
  "$dynamicRef",
  "$recursiveAnchor",
  "$recursiveRef",
  "maxContains",
  "minContains",
  "nullable",
  "unevaluatedItems",
  "unevaluatedProperties",
])

const known = new WeakMap<object, Validate | null>()

/**
 * Returns the cached validator of a schema object. Undefined for a keyword that only Ajv supports; `validatorOf` of
 * `@planloom/schema/ajv` accepts every schema. Throws `SchemaRejected` for an invalid schema.
 */
export const lightValidator = (schema: JsonSchema): Validate | undefined => {
  if (typeof schema === "boolean") return listing(schema ? anything : nothing)
  let validate = known.get(schema)
  if (validate === undefined) {
    const problems = schemaProblems(schema, { patterns: false })
    if (problems.length > 0) throw new SchemaRejected(problems)
    const check = compiled(schema)
    validate = check === undefined ? null : bounded(schema, listing(check))
    known.set(schema, validate)
  }
  return validate ?? undefined
}

const none = [] as const

const listing =
  (check: Check): Validate =>
  (value) =>
    check.test(value) ? none : issuesOf(check, value)

const compiled = (root: SchemaObject): Check | undefined => {
  const dialect = dialectOf(root)
  const references = new Map<string, { check?: Check }>()
  const compiling: Compiling = {
    root,
    dialect,
    compile: (schema) =>
      typeof schema === "boolean"
        ? schema
          ? anything
          : nothing
        : compileObject(schema, compiling),
    reference: (reference) => {
      const target = targetOf(root, reference)
      if (target === undefined) throw new NeedsAjv(reference)
      let made = references.get(reference)
      if (made === undefined) {
        references.set(reference, (made = {}))
        made.check = compiling.compile(target)
      }
      const { check } = made
      if (check !== undefined) return check
      // The schema refers to itself and is still being compiled.
      const late = made as { check: Check }
      return {
        test: (value) => late.check.test(value),
        explain: (value, path, issues) => late.check.explain(value, path, issues),
      }
    },
  }
  try {
    return compiling.compile(root)
  } catch (error) {
    if (error instanceof NeedsAjv) return undefined
    throw error
  }
}

const compileObject = (schema: SchemaObject, compiling: Compiling): Check => {
  for (const keyword of Object.keys(schema)) {
    const ignored = compiling.dialect === "draft-07" && newerThanDraft07.has(keyword)
    if (onlyAjv.has(keyword) && !ignored) throw new NeedsAjv(keyword)
  }
  // Inside a schema with an id, references are relative to that id.
  if (schema !== compiling.root && schema["$id"] !== undefined) throw new NeedsAjv("$id")
  const { $ref, type } = schema
  const object = checkObject(schema, compiling)
  return all([
    ...(typeof $ref === "string" ? [compiling.reference($ref)] : []),
    ...(type === undefined ? [] : [checkType(type)]),
    ...checkScalar(schema),
    ...(object === undefined ? [] : [object]),
    ...checkArray(schema, compiling),
    ...checkCombination(schema, compiling),
  ])
}
