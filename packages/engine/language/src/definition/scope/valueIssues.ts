/** A value as written, with `${{ }}` in it, against the JSON Schema it must fit once it is evaluated. */
import type { Json, JsonSchema } from "@planloom/plugin/effect"
import { abridge, hint, onlyNear, suggest } from "@planloom/expression/suggestion"
import { describeType, fits, firstMismatch, typeOfSchema } from "@planloom/expression/check"
import type { ObjectType, Type } from "@planloom/expression/check"
import type { DocumentPath } from "../Definition.ts"
import { isObject } from "@planloom/schema"
import type { Fix } from "../Fix.ts"
import { movedOut } from "../restructure.ts"
import { schemaIssues } from "../schemaIssues.ts"
import { describeJson } from "../Shape.ts"
import { ownMember } from "../ownMember.ts"
import { meant } from "../synonyms.ts"
import { conversion, converted, literalFix, literalHelp } from "./conversions.ts"
import { outOfBounds, outOfPattern } from "./outOfBounds.ts"

export interface Expected {
  readonly schema: JsonSchema
  /** The name of the value in messages: `extract`, the output `answer`. */
  readonly name: string
  /** The code for a literal that does not match. */
  readonly code: string
  /** Keys that the mapping does not take, but the one around it. */
  readonly outer?: ReadonlyArray<string>
}

export interface ValueIssue {
  readonly code: string
  readonly message: string
  readonly path: DocumentPath
  readonly spot?: "key" | "value"
  readonly help?: string | undefined
  readonly fix?: Fix | undefined
}

export const valueIssues = (
  value: Json,
  expected: Expected,
  typeOf: (value: Json) => Type,
): ReadonlyArray<ValueIssue> => {
  const issues: Array<ValueIssue> = []
  compare(value, expected.schema, [], expected, typeOf, issues)
  return issues
}

const compare = (
  value: Json,
  schema: JsonSchema | undefined,
  path: DocumentPath,
  expected: Expected,
  typeOf: (value: Json) => Type,
  issues: Array<ValueIssue>,
): void => {
  if (isObject(schema) && schema["format"] === "json-schema" && isObject(value)) {
    for (const issue of schemaIssues(value)) {
      if (!holdsExpression(value, issue.path))
        issues.push({ ...issue, path: [...path, ...issue.path] })
    }
  }
  const type = schema === undefined ? typeOfSchema(true) : typeOfSchema(schema)
  if (type.kind === "any") return
  if (isObject(value) && type.kind === "object") {
    return compareObject(value, type, schema, path, expected, typeOf, issues)
  }
  if (Array.isArray(value) && type.kind === "list") {
    countIssue(value.length, "Items", schema, path, expected, issues)
    const items = isObject(schema) && isObject(schema["items"]) ? schema["items"] : undefined
    if (items) {
      value.forEach((item: Json, index) =>
        compare(item, items, [...path, index], expected, typeOf, issues),
      )
    }
    return
  }
  const given = typeOf(value)
  const isExpression = typeof value === "string" && value.includes("${{")
  if (!fits(given, type)) {
    issues.push({
      code: isExpression ? "PL1204" : expected.code,
      message: isExpression
        ? `${label(path, expected)} is ${describeType(type)}, this expression gives ${describeType(given)}${because(given, type)}`
        : `${label(path, expected)} is ${describeType(type)}, found ${describeJson(value)}`,
      path,
      help: isExpression ? conversion(given, type) : literalHelp(value, type),
      fix: isExpression ? converted(value, given, type) : literalFix(value, type),
    })
  } else if (!isExpression && isObject(schema)) {
    const wrong = outOfBounds(value, schema) ?? outOfPattern(value, schema["pattern"])
    if (wrong !== undefined) {
      issues.push({ code: expected.code, message: `${label(path, expected)} ${wrong}`, path })
    }
  }
}

/** Whether an expression gives the part of the value that an issue is about, or what it is about in it. */
const holdsExpression = (value: Json, path: DocumentPath): boolean => {
  let at: unknown = value
  for (const step of path) at = (at as { readonly [key: string]: unknown })[step]
  return JSON.stringify(at).includes("${{")
}

const label = (path: DocumentPath, expected: Expected): string => {
  const key = path.findLast((segment) => typeof segment === "string")
  return key === undefined ? expected.name : `"${key}"`
}

/** Which part of an object it is that does not fit. */
const because = (given: Type, type: Type): string => {
  if (given.kind !== "object" || type.kind !== "object") return ""
  const name = firstMismatch(given, type)
  if (name === undefined) return ""
  const found = Object.hasOwn(given.fields, name) ? given.fields[name] : undefined
  return found
    ? `, whose "${name}" is ${describeType(found.type)} instead of ${describeType(type.fields[name]!.type)}`
    : `, without "${name}"`
}

/** The name that a key can only stand for, if its value fits there and no other key means the same. */
const renamed = (
  key: string,
  value: { readonly [key: string]: Json },
  names: ReadonlyArray<string>,
  properties: { readonly [name: string]: unknown },
  expected: Expected,
  typeOf: (value: Json) => Type,
): Fix | undefined => {
  const free = names.filter((name) => !Object.hasOwn(value, name))
  const name = suggest(key, free) === undefined ? meant(key, free) : onlyNear(key, free)
  const others = Object.keys(value).filter((other) => other !== key && !names.includes(other))
  if (name === undefined || others.some((other) => meant(other, free) === name)) return undefined
  const issues: Array<ValueIssue> = []
  compare(
    value[key]!,
    ownMember(properties, name) as JsonSchema | undefined,
    [],
    expected,
    typeOf,
    issues,
  )
  return issues.some(({ fix, path }) => path.length === 0 && fix === undefined)
    ? undefined
    : { key: name }
}

/** Settings that belong to a model. */
const ofModels: ReadonlySet<string> = new Set([
  "temperature",
  "max_tokens",
  "seed",
  "stop",
  "top_k",
])

/** The one unknown key and the one key that is missing, if the value of the first fits there. */
const onlyMisnamed = (
  value: { readonly [key: string]: Json },
  unknown: ReadonlyArray<string>,
  missing: ReadonlyArray<string>,
  type: ObjectType,
  typeOf: (value: Json) => Type,
): { readonly key: string; readonly name: string } | undefined => {
  const [key, otherKey] = unknown
  const [name, otherName] = missing
  if (key === undefined || name === undefined || (otherKey ?? otherName) !== undefined) {
    return undefined
  }
  return fits(typeOf(value[key]!), type.fields[name]!.type) ? { key, name } : undefined
}

const compareObject = (
  value: { readonly [key: string]: Json },
  type: ObjectType,
  schema: JsonSchema | undefined,
  path: DocumentPath,
  expected: Expected,
  typeOf: (value: Json) => Type,
  issues: Array<ValueIssue>,
): void => {
  countIssue(Object.keys(value).length, "Properties", schema, path, expected, issues)
  keyIssues(value, schema, path, expected, issues)
  const names = Object.keys(type.fields)
  const properties = isObject(schema) && isObject(schema["properties"]) ? schema["properties"] : {}
  const unknown = type.rest
    ? []
    : Object.keys(value).filter((key) => !Object.hasOwn(type.fields, key))
  const missing = names.filter((name) => {
    const property = ownMember(properties, name)
    return !(
      type.fields[name]!.optional ||
      Object.hasOwn(value, name) ||
      (isObject(property) && "default" in property) ||
      // A key that was written wrongly is reported as what it is.
      unknown.some((key) => meant(key, names) === name)
    )
  })
  const misnamed = onlyMisnamed(value, unknown, missing, type, typeOf)
  for (const [key, entry] of Object.entries(value)) {
    if (Object.hasOwn(type.fields, key)) {
      const property = ownMember(properties, key) as JsonSchema | undefined
      compare(entry, property, [...path, key], expected, typeOf, issues)
    } else if (type.rest) {
      const others = isObject(schema) ? schema["additionalProperties"] : undefined
      if (isObject(others)) compare(entry, others, [...path, key], expected, typeOf, issues)
    } else {
      const free = names.filter((name) => !Object.hasOwn(value, name))
      issues.push({
        code: "PL4005",
        message: `${path.length === 0 ? expected.name : `"${path.at(-1)}"`} takes no "${key}"`,
        path: [...path, key],
        spot: "key",
        help:
          expected.outer !== undefined && path.length === 0 && ofModels.has(key)
            ? `write it at a model: models: { own: { try: [provider/model], ${key}: … } }, and name that: model: own`
            : key === misnamed?.key
              ? `did you mean "${misnamed.name}", which it needs? it takes: ${abridge(names)}`
              : ((meant(key, free) === suggest(key, free)
                  ? hint(key, free, "it takes")
                  : `did you mean "${meant(key, free)}"? it takes: ${abridge(names)}`) ??
                (names.length === 0 ? "it takes nothing" : `it takes: ${abridge(names)}`)),
        fix:
          path.length === 0 && expected.outer?.includes(key) === true
            ? movedOut
            : renamed(key, value, names, properties, expected, typeOf),
      })
    }
  }
  for (const name of missing) {
    if (name === misnamed?.name) continue
    const property = ownMember(properties, name)
    const description = isObject(property) ? property["description"] : undefined
    issues.push({
      code: "PL4006",
      message: `${path.length === 0 ? expected.name : `"${path.at(-1)}"`} needs "${name}"`,
      path,
      spot: "key",
      help: `${name}: ${typeof description === "string" ? description : describeType(type.fields[name]!.type)}`,
    })
  }
}

/** The number of items of a list, or of keys of a mapping. */
const countIssue = (
  count: number,
  of: "Items" | "Properties",
  schema: JsonSchema | undefined,
  path: DocumentPath,
  expected: Expected,
  issues: Array<ValueIssue>,
): void => {
  if (!isObject(schema)) return
  const { [`min${of}`]: least, [`max${of}`]: most } = schema
  const [one, many] = of === "Items" ? ["entry", "entries"] : ["key", "keys"]
  const counted = (limit: number): string => `${limit} ${limit === 1 ? one : many}`
  const limit =
    typeof least === "number" && count < least
      ? `at least ${counted(least)}`
      : typeof most === "number" && count > most
        ? `at most ${counted(most)}`
        : undefined
  if (limit === undefined) return
  const message = `${label(path, expected)} must have ${limit}, found ${count}`
  issues.push({ code: expected.code, message, path })
}

/** Keys of a mapping against the pattern of their names. */
const keyIssues = (
  value: { readonly [key: string]: Json },
  schema: JsonSchema | undefined,
  path: DocumentPath,
  expected: Expected,
  issues: Array<ValueIssue>,
): void => {
  const names = isObject(schema) ? schema["propertyNames"] : undefined
  if (!isObject(names)) return
  for (const key of Object.keys(value)) {
    const wrong = outOfPattern(key, names["pattern"])
    if (wrong === undefined) continue
    const message = `a key of ${label(path, expected)} ${wrong}`
    issues.push({ code: expected.code, message, path: [...path, key], spot: "key" })
  }
}
