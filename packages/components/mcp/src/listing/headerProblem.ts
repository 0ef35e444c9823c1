/** Params that a server wants in headers, too: what is wrong with their declarations. */
import { eachSubschema, isObject, type JsonSchema } from "@planloom/schema"

const KEY = "x-mcp-header"
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const types = new Set<unknown>(["string", "integer", "boolean"])

/** Undefined for a schema whose declarations can all be followed: each is of one param, which only `properties` lead to. */
export const headerProblem = (params: JsonSchema): string | undefined => {
  const seen = new Set<string>()
  let problem: string | undefined
  const visit = (schema: JsonSchema, isReached: boolean, isParam: boolean): void => {
    if (!isObject(schema)) return
    if (Object.hasOwn(schema, KEY)) problem ??= problemOf(schema, isParam, seen)
    eachSubschema(schema, (one, [keyword]) => {
      const reached = isReached && keyword === "properties"
      visit(one, reached, reached)
    })
  }
  visit(params, true, false)
  return problem
}

const problemOf = (
  { [KEY]: header, type }: { readonly [keyword: string]: unknown },
  isParam: boolean,
  seen: Set<string>,
): string | undefined => {
  if (!isParam) return `${KEY} stands where no single param is`
  if (typeof header !== "string" || !token.test(header)) return `${KEY} is not the name of a header`
  if (!types.has(type)) {
    return `${KEY} ${header} is for a param that is no text, integer or boolean`
  }
  const name = header.toLowerCase()
  if (seen.has(name)) return `${KEY} ${header} is declared twice`
  seen.add(name)
  return undefined
}
