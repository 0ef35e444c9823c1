/** Checks object keywords in one pass: properties, required and additional keys. */
import { anything, type Check, type Compiling } from "./Check.ts"
import { patternOf } from "./problems.ts"
import { escapeStep, isObject, type Json, type JsonSchema, type SchemaObject } from "./Schema.ts"

type Members = { readonly [key: string]: Json }
type SchemaMap = { readonly [key: string]: JsonSchema }

/** Inherited names need an own-property check; all others are read directly. */
const own = (value: Members, key: string): Json | undefined =>
  key in Object.prototype && !Object.hasOwn(value, key) ? undefined : value[key]

/** Undefined for a schema without object keywords. */
export const checkObject = (schema: SchemaObject, compiling: Compiling): Check | undefined => {
  const parts = [members(schema, compiling), required(schema), ...others(schema, compiling)]
  const checks = parts.filter((part) => part !== undefined)
  if (checks.length === 0) return undefined
  return {
    test: (value) => {
      if (!isObject(value)) return true
      for (const { test } of checks) if (!test(value)) return false
      return true
    },
    explain: (value, path, issues) => {
      if (isObject(value)) for (const check of checks) check.explain(value, path, issues)
    },
  }
}

/** A check for a value known to be an object. */
interface MembersCheck {
  readonly test: (value: Members) => boolean
  readonly explain: (value: Members, path: string, issues: Parameters<Check["explain"]>[2]) => void
}

const compiled = (map: unknown, { compile }: Compiling): ReadonlyArray<readonly [string, Check]> =>
  Object.entries((map ?? {}) as SchemaMap).map(([key, inner]) => [key, compile(inner)])

const members = (schema: SchemaObject, compiling: Compiling): MembersCheck | undefined => {
  const { additionalProperties, patternProperties, properties } = schema
  if (
    additionalProperties === undefined &&
    patternProperties === undefined &&
    properties === undefined
  )
    return undefined
  const known = compiled(properties, compiling)
  const names = new Set(known.map(([key]) => key))
  const patterns = compiled(patternProperties, compiling)
  const rest =
    additionalProperties === undefined || additionalProperties === true
      ? undefined
      : compiling.compile(additionalProperties as JsonSchema)
  /** Checks of keys that are not in `properties`. */
  const further = (key: string): ReadonlyArray<Check> => {
    const matching = patterns.filter(([pattern]) => patternOf(pattern).test(key))
    if (matching.length > 0) return matching.map(([, check]) => check)
    return names.has(key) || rest === undefined ? [] : [rest]
  }
  const open = patterns.length === 0 && rest === undefined
  return {
    test: (value) => {
      for (const [key, check] of known) {
        const inner = own(value, key)
        if (inner !== undefined && !check.test(inner)) return false
      }
      if (open) return true
      if (patterns.length === 0) {
        for (const key of Object.keys(value))
          if (!names.has(key) && !rest!.test(value[key]!)) return false
        return true
      }
      return Object.keys(value).every((key) =>
        further(key).every((check) => check.test(value[key]!)),
      )
    },
    explain: (value, path, issues) => {
      for (const [key, check] of known) {
        const inner = own(value, key)
        if (inner !== undefined) check.explain(inner, `${path}/${escapeStep(key)}`, issues)
      }
      if (open) return
      for (const key of Object.keys(value)) {
        for (const check of further(key)) {
          if (check === rest && additionalProperties === false)
            issues.push({
              path,
              message: `has an unknown key "${key}"`,
              keyword: "additionalProperties",
              property: key,
            })
          else check.explain(value[key]!, `${path}/${escapeStep(key)}`, issues)
        }
      }
    },
  }
}

const lacking = (path: string, key: string) => ({
  path,
  message: `lacks the key "${key}"`,
  keyword: "required",
  property: key,
})

const required = ({ required: keys }: SchemaObject): MembersCheck | undefined => {
  if (keys === undefined || (keys as ReadonlyArray<string>).length === 0) return undefined
  const names = keys as ReadonlyArray<string>
  return {
    test: (value) => {
      for (const key of names) if (own(value, key) === undefined) return false
      return true
    },
    explain: (value, path, issues) => {
      for (const key of names) if (own(value, key) === undefined) issues.push(lacking(path, key))
    },
  }
}

/** Checks `propertyNames` and dependencies on present keys. */
const others = (schema: SchemaObject, compiling: Compiling): ReadonlyArray<MembersCheck> => {
  const checks: Array<MembersCheck> = []
  const { dependencies, dependentRequired, dependentSchemas, propertyNames } = schema
  if (propertyNames !== undefined) {
    const name = compiling.compile(propertyNames as JsonSchema)
    checks.push({
      test: (value) => Object.keys(value).every((key) => name.test(key)),
      explain: (value, path, issues) => {
        for (const key of Object.keys(value))
          if (!name.test(key))
            issues.push({
              path,
              message: `has the key "${key}", whose name is not allowed`,
              keyword: "propertyNames",
            })
      },
    })
  }
  const newer = compiling.dialect === "draft-07" ? {} : { ...(dependentSchemas as SchemaMap) }
  const needed = compiling.dialect === "draft-07" ? {} : (dependentRequired ?? {})
  const dependents = [
    ...Object.entries((dependencies ?? {}) as SchemaMap),
    ...Object.entries(newer),
    ...Object.entries(needed as SchemaMap),
  ]
  for (const [key, dependent] of dependents)
    checks.push(whenPresent(key, dependent as unknown, compiling))
  return checks
}

const whenPresent = (key: string, dependent: unknown, compiling: Compiling): MembersCheck => {
  const check = Array.isArray(dependent)
    ? required({ required: dependent })
    : compiling.compile(dependent as JsonSchema)
  const { explain, test } = (check ?? anything) as MembersCheck
  return {
    test: (value) => own(value, key) === undefined || test(value),
    explain: (value, path, issues) => {
      if (own(value, key) !== undefined) explain(value, path, issues)
    },
  }
}
