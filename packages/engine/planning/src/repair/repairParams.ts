/** Repairs known mistakes in the arguments of a call; a valid call stays unchanged. */
import { checkValue } from "./checkValue.ts"
import type { ValueMismatch, ValuePath } from "./checkValue.ts"
import type { CallRules } from "../DomainRules.ts"
import { isObject } from "../Json.ts"
import type { CalledTool, Json, JsonObject } from "@planloom/plugin/effect"
import { nearest, sameName } from "./nearest.ts"
import type { Repair, RepairRule } from "./Repair.ts"
import { referencesIn } from "../plan/StepReference.ts"
import { propertiesOf, refusesUndeclared, requiredOf, writes } from "../Tool.ts"

export interface Repaired {
  readonly params: JsonObject
  readonly repairs: ReadonlyArray<Repair>
  /** Mismatches that remain. */
  readonly mismatches: ReadonlyArray<ValueMismatch>
}

type Schema = { readonly [keyword: string]: unknown }
type Fix = { readonly to: Json; readonly rule: RepairRule; readonly why: string }

const schemaAt = (root: unknown, path: ValuePath): Schema => {
  let schema = root
  for (const part of path) {
    if (!isObject(schema)) return {}
    const { properties, additionalProperties } = schema
    if (typeof part === "number") schema = schema.items
    else if (isObject(properties) && Object.hasOwn(properties, part)) schema = properties[part]
    else schema = additionalProperties
  }
  return isObject(schema) ? schema : {}
}

const valueAt = (value: Json, path: ValuePath): Json | undefined => {
  let at: unknown = value
  for (const part of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, part)) return undefined
    at = (at as Record<string | number, unknown>)[part]
  }
  return at as Json | undefined
}

const withValue = (value: Json, path: ValuePath, to: Json): Json => {
  const [head, ...rest] = path
  if (head === undefined) return to
  if (Array.isArray(value)) {
    return value.with(head as number, withValue(value[head as number] as Json, rest, to))
  }
  const object = value as JsonObject
  return { ...object, [head]: withValue(object[head] ?? null, rest, to) }
}

const typesOf = ({ type }: Schema): ReadonlyArray<string> =>
  (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string")

/** A number as people write it in JSON by mistake: with quotes, nothing else. */
const readNumber = (value: Json): number | undefined => {
  if (typeof value !== "string" || !/^\s*[-+]?\d+(\.\d+)?\s*$/.test(value)) return undefined
  return Number(value)
}

/** What lists of one hold, however many are inside each other. */
const unwrapped = (value: Json): Json => {
  let inner = value
  while (Array.isArray(inner) && inner.length === 1) inner = inner[0] as Json
  return inner
}

const fixType = (value: Json, schema: Schema): Fix | undefined => {
  const types = typesOf(schema)
  const number = readNumber(value)
  if (number !== undefined && (types.includes("number") || types.includes("integer"))) {
    return { to: number, rule: "to_number", why: "a number was written as text" }
  }
  if (types.includes("boolean") && /^(true|false)$/i.test(String(value))) {
    const to = String(value).toLowerCase() === "true"
    return { to, rule: "to_boolean", why: "a yes or no was written as text" }
  }
  if (types.includes("array") && value !== null && !isObject(value)) {
    return { to: [value], rule: "wrap_list", why: "one value stood where a list belongs" }
  }
  if (types.includes("array") && isObject(value) && schemaAt(schema, [0]).type === "object") {
    return { to: [value as Json], rule: "wrap_list", why: "one value stood where a list belongs" }
  }
  const inner = unwrapped(value)
  if (inner !== value) {
    return { to: inner, rule: "unwrap_list", why: "a list of one stood where a value belongs" }
  }
  if (types.includes("string") && (typeof value === "number" || typeof value === "boolean")) {
    return { to: String(value), rule: "to_text", why: "a text was written without quotes" }
  }
  return undefined
}

/** The reading of a misspelled name: what a call changes must be what was written, but for case and separators. */
const reading = (tool: CalledTool): typeof nearest => (writes(tool) ? sameName : nearest)

const fixChoice = (
  value: Json,
  schema: Schema,
  tool: CalledTool,
  rules: CallRules,
): Fix | undefined => {
  const choices = (schema.enum as ReadonlyArray<unknown> | undefined)?.filter(
    (choice) => typeof choice === "string",
  )
  if (typeof value !== "string" || choices === undefined) return undefined
  const to =
    rules.sameChoice?.(value.trim().toLowerCase(), choices) ?? reading(tool)(value, choices)
  if (to === undefined) return undefined
  return { to, rule: "fold_choice", why: `the choices are ${choices.join(", ")}` }
}

const fixMismatch = (
  mismatch: ValueMismatch,
  params: JsonObject,
  tool: CalledTool,
  rules: CallRules,
): Fix | undefined => {
  const schema = schemaAt(tool.params, mismatch.path)
  const value = valueAt(params, mismatch.path)
  if (mismatch.code === "missing") {
    if (!Object.hasOwn(schema, "default")) return undefined
    return { to: schema.default as Json, rule: "default", why: "the tool's own default" }
  }
  // What a reference gives is repaired when it is known.
  if (value === undefined || holdsReference(value)) return undefined
  if (mismatch.code === "type") return fixType(value, schema)
  return mismatch.code === "enum" ? fixChoice(value, schema, tool, rules) : undefined
}

const holdsReference = (value: Json): boolean => referencesIn({ value }).length > 0

const record = (path: ValuePath, from: Json | undefined, fix: Fix): Repair => ({
  path: ["params", ...path].join("."),
  from: from ?? null,
  to: fix.to,
  why: fix.why,
  rule: fix.rule,
})

/** Whether an argument that the tool does not declare is a mistake. */
const excludesUndeclared = (tool: CalledTool, { keepsUndeclared }: CallRules): boolean =>
  keepsUndeclared === true
    ? tool.params === false || (isObject(tool.params) && tool.params.additionalProperties === false)
    : refusesUndeclared(tool)

/**
 * Renames what is nearly a known argument, removes unknown arguments and those that are null. An argument with a value of
 * a call that changes something stays: without it, the call could change something else.
 */
const repairNames = (tool: CalledTool, params: JsonObject, rules: CallRules): Repaired => {
  const known = propertiesOf(tool).map(([name]) => name)
  const repairs: Array<Repair> = []
  const result: Record<string, Json> = {}
  for (const [name, value] of Object.entries(params)) {
    const empty = value === null && !requiredOf(tool).includes(name)
    const refused = checkValue(schemaAt(tool.params, [name]), value).length > 0
    if (known.includes(name) ? !(empty && refused) : !excludesUndeclared(tool, rules)) {
      result[name] = value
      continue
    }
    // Of two names for one argument the first is taken.
    const free = known.filter((one) => !Object.hasOwn(params, one) && !Object.hasOwn(result, one))
    const isKnown = known.includes(name)
    const meant = isKnown ? undefined : reading(tool)(name, free)
    if (meant === undefined && value !== null && writes(tool)) {
      result[name] = value
      continue
    }
    if (meant !== undefined) result[meant] = value
    repairs.push({
      path: `params.${name}`,
      from: meant === undefined ? value : name,
      to: meant ?? null,
      why:
        meant === undefined
          ? isKnown
            ? "null stood for an argument without a value"
            : `${tool.name} takes no such argument`
          : `${tool.name} has no argument ${name}`,
      rule: meant === undefined ? "drop_param" : "rename_param",
    })
  }
  return { params: result, repairs, mismatches: [] }
}

/** Enough for values nested as deep as tools declare them. */
const MAX_ROUNDS = 32

/**
 * Rule by rule until nothing changes; the domain's own rule comes last. Law: a valid call is not
 * changed.
 */
export const repairParams = (
  tool: CalledTool,
  params: JsonObject,
  rules: CallRules = {},
): Repaired => {
  const known = propertiesOf(tool).map(([name]) => name)
  const declared =
    !excludesUndeclared(tool, rules) || Object.keys(params).every((name) => known.includes(name))
  const sound = declared && checkValue(tool.params, params).length === 0
  if (sound && (rules.repair?.(tool, params).repairs.length ?? 0) === 0) {
    return { params, repairs: [], mismatches: [] }
  }
  const repairs: Array<Repair> = []
  let current = params
  // Each round repairs at most one layer of a value: ["5"] needs two.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const named = repairNames(tool, current, rules)
    repairs.push(...named.repairs)
    current = named.params
    const fixes = checkValue(tool.params, current).flatMap((mismatch) => {
      const fix = fixMismatch(mismatch, current, tool, rules)
      return fix === undefined ? [] : [{ path: mismatch.path, fix }]
    })
    if (fixes.length === 0) break
    for (const { path, fix } of fixes) {
      repairs.push(record(path, valueAt(current, path), fix))
      current = withValue(current, path, fix.to) as JsonObject
    }
  }
  const renamed = rules.repair?.(tool, current)
  if (renamed !== undefined) {
    repairs.push(...renamed.repairs)
    current = renamed.params
  }
  return { params: current, repairs, mismatches: checkValue(tool.params, current) }
}
