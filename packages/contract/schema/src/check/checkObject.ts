/** Checks object keywords in one pass: properties, required and additional keys. */
import { anything, type Check, type Compiling } from "./Check.ts"
import { patternOf } from "../problems.ts"
import { escapeStep, isObject, type Json, type JsonSchema, type SchemaObject } from "../Schema.ts"

type Members = { readonly [key: string]: Json }
type SchemaMap = { readonly [key: string]: JsonSchema }

/** A key of a schema, prepared for reading. */
interface Key {
  readonly name: string
  /** Objects inherit a property of this name, so that only an own one counts. */
  readonly inherited: boolean
}

interface Property extends Key, Check {
  readonly required: boolean
}

const keyOf = (name: string): Key => ({ name, inherited: name in Object.prototype })

const own = (value: Members, { inherited, name }: Key): Json | undefined =>
  inherited && !Object.hasOwn(value, name) ? undefined : value[name]

/** Undefined for a schema without object keywords. */
export const checkObject = (schema: SchemaObject, compiling: Compiling): Check | undefined => {
  const parts = [members(schema, compiling), required(schema), ...others(schema, compiling)]
  const checks = parts.filter((part) => part !== undefined)
  const tests = checks.flatMap(({ test }) => (test === undefined ? [] : [test]))
  const [first, ...more] = tests
  if (first === undefined) return undefined
  return {
    test:
      more.length === 0
        ? (value) => !isObject(value) || first(value)
        : (value) => !isObject(value) || tests.every((test) => test(value)),
    explain: (value, path, issues) => {
      if (isObject(value)) for (const check of checks) check.explain(value, path, issues)
    },
  }
}

/** A check for a value known to be an object. */
interface MembersCheck {
  /** Undefined where another check's test covers it. */
  readonly test: ((value: Members) => boolean) | undefined
  readonly explain: (value: Members, path: string, issues: Parameters<Check["explain"]>[2]) => void
}

const compiled = (
  map: unknown,
  { compile }: Compiling,
  required: ReadonlyArray<string> = [],
): ReadonlyArray<Property> =>
  Object.entries((map ?? {}) as SchemaMap).map(([name, inner]) => {
    const { explain, test } = compile(inner)
    return { ...keyOf(name), test, explain, required: required.includes(name) }
  })

const requiredKeys = ({ required = [] }: SchemaObject): ReadonlyArray<string> =>
  required as ReadonlyArray<string>

const members = (schema: SchemaObject, compiling: Compiling): MembersCheck | undefined => {
  const { additionalProperties, patternProperties, properties } = schema
  if (
    additionalProperties === undefined &&
    patternProperties === undefined &&
    properties === undefined
  )
    return undefined
  const known = compiled(properties, compiling, requiredKeys(schema))
  const names = new Set(known.map(({ name }) => name))
  const patterns = compiled(patternProperties, compiling)
  const rest =
    additionalProperties === undefined || additionalProperties === true
      ? undefined
      : compiling.compile(additionalProperties as JsonSchema)
  /** Checks of keys that are not in `properties`. */
  const further = (key: string): ReadonlyArray<Check> => {
    const matching = patterns.filter(({ name: pattern }) => patternOf(pattern).test(key))
    if (matching.length > 0) return matching
    return names.has(key) || rest === undefined ? [] : [rest]
  }
  const open = patterns.length === 0 && rest === undefined
  return {
    test: (value) => {
      let present = 0
      for (let index = 0; index < known.length; index++) {
        const key = known[index]!
        const inner = own(value, key)
        if (inner === undefined) {
          if (key.required) return false
          continue
        }
        if (!key.test(inner)) return false
        present++
      }
      if (open) return true
      // Mostly there are no further keys, which their number says without a look at each.
      if (patterns.length === 0 && keyCount(value) === present) return true
      return Object.keys(value).every((key) =>
        further(key).every((check) => check.test(value[key]!)),
      )
    },
    explain: (value, path, issues) => {
      for (const key of known) {
        const inner = own(value, key)
        if (inner !== undefined) key.explain(inner, `${path}/${escapeStep(key.name)}`, issues)
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

/** Counts without the list that `Object.keys` would make. */
const keyCount = (value: Members): number => {
  let count = 0
  for (const _ in value) count++
  return count
}

const lacking = (path: string, key: string) => ({
  path,
  message: `lacks the key "${key}"`,
  keyword: "required",
  property: key,
})

/** `members` tests those keys that have a schema under `properties`. */
const required = (schema: SchemaObject): MembersCheck | undefined => {
  const needed = requiredKeys(schema).map(keyOf)
  if (needed.length === 0) return undefined
  const properties = (schema["properties"] ?? {}) as SchemaMap
  const tested = needed.filter(({ name }) => !Object.hasOwn(properties, name))
  return {
    test:
      tested.length === 0
        ? undefined
        : (value) => tested.every((key) => own(value, key) !== undefined),
    explain: (value, path, issues) => {
      for (const key of needed)
        if (own(value, key) === undefined) issues.push(lacking(path, key.name))
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
    : (compiling.compile(dependent as JsonSchema) as MembersCheck)
  const { explain, test = anything.test } = check ?? (anything as MembersCheck)
  const present = keyOf(key)
  return {
    test: (value) => own(value, present) === undefined || test(value),
    explain: (value, path, issues) => {
      if (own(value, present) !== undefined) explain(value, path, issues)
    },
  }
}
