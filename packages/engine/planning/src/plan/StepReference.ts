/** References in the params of steps: a value that an earlier step gives, by a path. Data, parsed by a small grammar, never evaluated. */
import type { Json, JsonObject, JsonSchema } from "@planloom/plugin/effect"
import { isObject } from "../Json.ts"
import type { ValuePath } from "../repair/checkValue.ts"

export interface StepReference {
  /** The id of a step, `source`, or the name that the step's `each` gives an item. */
  readonly $from: string
  /** `items[0].token.address`, `["a key.with dots"]`; the whole result without it. */
  readonly path?: string
}

export const referenceSchema = {
  type: "object",
  additionalProperties: false,
  required: ["$from"],
  properties: {
    $from: { type: "string", minLength: 1, description: "the id of a step" },
    path: { type: "string", maxLength: 500, description: "items[0].token.address" },
  },
} as const satisfies JsonSchema

/** A value that stands for another one, also if it is not well formed. */
export const standsFor = (value: unknown): value is JsonObject =>
  isObject(value) && Object.hasOwn(value, "$from")

/** The problem of the form of a reference; undefined for a well-formed one. */
export const formProblem = (value: JsonObject): string | undefined => {
  const { $from: from, path = "", ...rest } = value
  if (typeof from !== "string" || from === "") return "`$from` must be the id of a step"
  if (typeof path !== "string") return "`path` must be a text such as items[0].id"
  const [more] = Object.keys(rest)
  if (more !== undefined) return `a reference has $from and path, and no ${more}`
  return parsePath(path) === undefined
    ? `the path ${path.slice(0, MAX_SHOWN_CHARACTERS)} is not of the form items[0].name`
    : undefined
}

const MAX_SHOWN_CHARACTERS = 80
const MAX_PATH_CHARACTERS = 500

/** `name`, `.name`, `[0]` or `["any text"]`. */
const part = /\.?([\p{L}_][\p{L}\p{N}_-]*)|\[(\d{1,9})\]|\[("(?:[^"\\\p{Cc}]|\\["\\])*")\]/uy

/** Undefined for a text that is no path. */
export const parsePath = (path: string): ValuePath | undefined => {
  if (path.length > MAX_PATH_CHARACTERS || path.startsWith(".")) return undefined
  const parts: Array<string | number> = []
  part.lastIndex = 0
  while (part.lastIndex < path.length) {
    const start = part.lastIndex
    const [text, name, index, quoted] = part.exec(path) ?? []
    if (text === undefined) return undefined
    // Two names need a dot between them.
    if (name !== undefined && start > 0 && !text.startsWith(".")) return undefined
    parts.push(name ?? (index === undefined ? (JSON.parse(quoted!) as string) : Number(index)))
  }
  return parts
}

interface Placed {
  readonly at: ValuePath
  readonly reference: JsonObject
}

/** Read thousands of times: plans are data that never changes. */
const found = new WeakMap<JsonObject, ReadonlyArray<Placed>>()

/** The references in params with their places. */
export const referencesIn = (params: JsonObject): ReadonlyArray<Placed> => {
  const known = found.get(params) ?? placedIn(params, [])
  found.set(params, known)
  return known
}

const placedIn = (value: Json, at: ValuePath): ReadonlyArray<Placed> => {
  if (standsFor(value)) return [{ at, reference: value }]
  if (Array.isArray(value)) {
    return (value as ReadonlyArray<Json>).flatMap((item, index) => placedIn(item, [...at, index]))
  }
  return isObject(value)
    ? Object.entries(value).flatMap(([name, item]) => placedIn(item, [...at, name]))
    : []
}

/** The params with other values in place of their references. What a value holds is not read again. */
export const replaceReferences = (
  params: JsonObject,
  value: (reference: JsonObject, at: ValuePath) => Json,
): JsonObject => {
  if (referencesIn(params).length === 0) return params
  const replaced = (given: Json, at: ValuePath): Json => {
    if (standsFor(given)) return value(given, at)
    if (Array.isArray(given)) {
      return (given as ReadonlyArray<Json>).map((item, index) => replaced(item, [...at, index]))
    }
    return isObject(given)
      ? Object.fromEntries(
          Object.entries(given).map(([name, item]) => [name, replaced(item, [...at, name])]),
        )
      : given
  }
  return replaced(params, []) as JsonObject
}

/** The value at a path; `missing` names the part that the value lacks. */
export const valueOfPath = (
  value: Json,
  path: ValuePath,
): { readonly value: Json } | { readonly missing: string } => {
  let current = value
  for (const [depth, key] of path.entries()) {
    const holds =
      typeof key === "number"
        ? Array.isArray(current) && key < current.length
        : isObject(current) && Object.hasOwn(current, key)
    if (!holds) return { missing: missing(current, pathText(path.slice(0, depth)), key) }
    current = (current as { readonly [key: string | number]: Json })[key]!
  }
  return { value: current }
}

const missing = (value: Json, at: string, key: string | number): string => {
  const holder = at === "" ? "the result" : at
  if (typeof key === "string") return `${holder} has no ${key}`
  return Array.isArray(value)
    ? `${holder} has ${value.length} ${value.length === 1 ? "item" : "items"}, and no [${key}]`
    : `${holder} is no list`
}

export const pathText = (path: ValuePath): string =>
  path
    .map((key, at) =>
      typeof key === "number"
        ? `[${key}]`
        : /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key)
          ? `${at === 0 ? "" : "."}${key}`
          : `[${JSON.stringify(key)}]`,
    )
    .join("")
