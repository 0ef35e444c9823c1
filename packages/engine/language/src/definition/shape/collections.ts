/** Shapes of lists and of mappings with free keys, and choices between shapes by the value's own type. */
import { isObject } from "@planloom/schema"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { scalarText } from "../../source/scalarText.ts"
import type { Fix } from "../Fix.ts"
import { asList, asMapping } from "../restructure.ts"
import { describeJson, wrongType } from "../Shape.ts"
import type { DecodeContext, Shape } from "../Shape.ts"
import { checkName } from "./scalars.ts"

export const list = <A>(
  item: Shape<A>,
  options: {
    readonly atLeast?: number
    readonly expected?: string
    /** The key by which an item says its name, where people write a mapping from names. */
    readonly named?: string
    /** The text to write in place of a value that is not a list. */
    readonly helpFor?: (value: Json) => string | undefined
  } = {},
): Shape<ReadonlyArray<A>> => {
  const expected = options.expected ?? `a list of ${plural(item.expected)}`
  const atLeast = options.atLeast ?? 0
  return {
    kind: "list",
    expected,
    decode: (value, context) => {
      if (!Array.isArray(value)) {
        const only = typeof value === "string" ? entryOf(item, value, context) : []
        const help =
          options.helpFor?.(value) ??
          (only.length > 0
            ? `write a list: [${JSON.stringify(value)}]`
            : isObject(value)
              ? 'begin each entry with "- "'
              : undefined)
        const fix =
          only.length > 0
            ? { yaml: `[${scalarText(value as string, true)}]` }
            : isObject(value) && options.named !== undefined
              ? asList(value, options.named)
              : undefined
        wrongType(context, expected, value, help, fix)
        return only
      }
      if (value.length < atLeast) {
        context.problem({
          code: "PL0106",
          message: `must have at least ${atLeast} ${atLeast === 1 ? "entry" : "entries"}`,
        })
      }
      return value.map((entry: Json, index) => item.decode(entry, context.at(index)))
    },
    schema: (definitions) => ({
      type: "array",
      items: item.schema(definitions),
      ...(atLeast === 0 ? {} : { minItems: atLeast }),
    }),
  }
}

/** A text in place of a list as its only entry, so that what it declares is known; none if it is no entry. */
const entryOf = <A>(item: Shape<A>, value: string, { path }: DecodeContext): ReadonlyArray<A> => {
  let isEntry = true
  const probe: DecodeContext = { path, at: () => probe, problem: () => (isEntry = false) }
  const entry = item.decode(value, probe)
  return isEntry ? [entry] : []
}

const plural = (expected: string): string =>
  expected
    .replace(/^the (name|id) of an? (.*)$/, "$1s of $2s")
    .replace(/^an? (.*?)( such as .*)?$/, "$1s$2")

/** A mapping whose keys the author chooses. Keys that start with `x-` are ignored. */
export const record = <A>(
  value: Shape<A>,
  options: { readonly names?: "checked" | "free"; readonly expected?: string } = {},
): Shape<{ readonly [name: string]: A }> => {
  const expected = options.expected ?? `a mapping of name to ${value.expected}`
  return {
    kind: "record",
    expected,
    decode: (found, context) => {
      if (!isObject(found)) {
        const fix = Array.isArray(found) ? asMapping(found) : undefined
        wrongType(context, expected, found, mappingHelp(found), fix)
        return namedIn(found, value, context)
      }
      // Also for a key `__proto__`, which an assignment would lose.
      return Object.fromEntries(
        Object.entries(found).flatMap(([key, entry]): ReadonlyArray<readonly [string, A]> => {
          if (key.startsWith("x-")) return []
          const inside = context.at(key)
          if (options.names !== "free") checkName(key, inside, "key")
          return [[key, value.decode(entry, inside)]]
        }),
      )
    },
    schema: (definitions) => ({
      type: "object",
      ...(options.names === "free"
        ? {}
        : { propertyNames: { pattern: "^([a-z][a-z0-9_]*|x-.*)$" } }),
      additionalProperties: value.schema(definitions),
    }),
  }
}

/** The names that a list gives in place of a mapping, so that what they declare is known. */
const namedIn = <A>(
  found: Json,
  value: Shape<A>,
  { path }: DecodeContext,
): { readonly [name: string]: A } => {
  const silent: DecodeContext = { path, at: () => silent, problem: () => {} }
  const names = Array.isArray(found) ? (found as ReadonlyArray<Json>) : []
  return Object.fromEntries(
    names.flatMap((name) => (typeof name === "string" ? [[name, value.decode({}, silent)]] : [])),
  )
}

/** The mapping that a list was meant as: its names are keys. */
const mappingHelp = (found: Json): string | undefined => {
  const [first] = Array.isArray(found) ? (found as ReadonlyArray<Json>) : []
  if (typeof first === "string") return `write a mapping: ${first}: …`
  if (!isObject(first)) return undefined
  const { id, name = id } = first
  const [key] = Object.keys(first)
  return `write a mapping, without "- ": ${typeof name === "string" ? name : key}: …`
}

/** A mapping taken as it stands, with expressions in its values. */
export const jsonObject: Shape<JsonObject> = {
  kind: "jsonObject",
  expected: "a mapping",
  decode: (value, context) => {
    if (isObject(value)) return value
    wrongType(context, "a mapping", value)
    return {}
  },
  schema: () => ({ type: "object" }),
}

type JsonKind = "string" | "number" | "boolean" | "list" | "mapping"

const kindOf = (value: Json): JsonKind | "null" => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "list"
  if (typeof value === "object") return "mapping"
  return typeof value as "string" | "number" | "boolean"
}

/** One of several shapes, chosen by the type of the value in the file. */
export const byType = <A>(
  shapes: { readonly [K in JsonKind]?: Shape<A> },
  expected: string,
  fallback: A,
  /** The text to write, where a value shows what was meant. */
  helpFor: (value: Json) => string | undefined = () => undefined,
  /** The edit, where it is certain. */
  fixFor: (value: Json) => Fix | undefined = () => undefined,
): Shape<A> => ({
  kind: "byType",
  expected,
  decode: (value, context) => {
    const kind = kindOf(value)
    const shape = kind === "null" ? undefined : shapes[kind]
    if (shape) return shape.decode(value, context)
    context.problem({
      code: "PL0103",
      message: `expected ${expected}, found ${describeJson(value)}`,
      help: helpFor(value),
      fix: fixFor(value),
    })
    return fallback
  },
  schema: (definitions) => ({
    anyOf: Object.values(shapes).map((shape) => shape.schema(definitions)),
  }),
})

/** The same shape, its value turned into another. */
export const map = <A, B>(
  shape: Shape<A>,
  turn: (value: A, context: Parameters<Shape<A>["decode"]>[1], raw: Json) => B,
): Shape<B> => ({
  ...shape,
  decode: (value, context) => turn(shape.decode(value, context), context, value),
})

/** A shape that may contain itself; `name` is its name in the JSON Schema. */
export const lazy = <A>(name: string, expected: string, shape: () => Shape<A>): Shape<A> => ({
  kind: "lazy",
  expected,
  decode: (value, context) => shape().decode(value, context),
  schema: (definitions) => ({ $ref: definitions.define(name, shape) }),
})
