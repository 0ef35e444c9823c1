/** Params that a server wants in headers, too: what is wrong with their declarations. */
import type { JsonObject } from "@planloom/plugin/effect"
import { isObject, type Json } from "@planloom/schema"

const KEY = "x-mcp-header"
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const types = new Set(["string", "integer", "boolean"])

/** Undefined for a schema whose declarations can all be followed. */
export const headerProblem = (schema: JsonObject): string | undefined => {
  const seen = new Set<string>()
  const visit = (node: Json, canBeSent: boolean): string | undefined => {
    if (Array.isArray(node)) return first(node, (one) => visit(one, false))
    if (!isObject(node)) return undefined
    const own = Object.hasOwn(node, KEY) ? declared(node, canBeSent, seen) : undefined
    return (
      own ??
      first(Object.entries(node), ([key, value]) =>
        key === "properties" && isObject(value)
          ? first(Object.values(value), (one) => visit(one, canBeSent))
          : visit(value, false),
      )
    )
  }
  const { properties = {}, ...rest } = schema
  return (
    first(Object.values(properties as JsonObject), (one) => visit(one, true)) ?? visit(rest, false)
  )
}

const declared = (
  { [KEY]: header, type }: { readonly [key: string]: Json },
  canBeSent: boolean,
  seen: Set<string>,
): string | undefined => {
  if (!canBeSent) return `${KEY} stands where no single param is`
  if (typeof header !== "string" || !token.test(header)) return `${KEY} is not the name of a header`
  if (typeof type !== "string" || !types.has(type)) {
    return `${KEY} ${header} is for a param that is no text, integer or boolean`
  }
  const known = seen.has(header.toLowerCase())
  seen.add(header.toLowerCase())
  return known ? `${KEY} ${header} is declared twice` : undefined
}

const first = <A>(
  values: ReadonlyArray<A>,
  problem: (value: A) => string | undefined,
): string | undefined => {
  for (const value of values) {
    const found = problem(value)
    if (found !== undefined) return found
  }
  return undefined
}
