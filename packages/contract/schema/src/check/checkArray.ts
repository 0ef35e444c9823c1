/** Checks array keywords: tuples, items, `contains`, `uniqueItems`. */
import { canonicalJson } from "../canonicalJson.ts"
import { anything, type Check, type Compiling, refusal } from "./Check.ts"
import { type Json, type JsonSchema, type SchemaObject } from "../Schema.ts"

export const checkArray = (schema: SchemaObject, compiling: Compiling): ReadonlyArray<Check> => {
  const { contains, uniqueItems } = schema
  const checks: Array<Check> = []
  const each = items(schema, compiling)
  if (each !== undefined) checks.push(each)
  if (contains !== undefined) {
    const inner = compiling.compile(contains as JsonSchema)
    checks.push(
      refusal(
        "contains",
        (value) => !Array.isArray(value) || value.some((item: Json) => inner.test(item)),
        "must contain at least 1 valid item",
      ),
    )
  }
  if (uniqueItems === true) {
    checks.push(
      refusal(
        "uniqueItems",
        (value) => !Array.isArray(value) || isUnique(value),
        "must not repeat an item",
      ),
    )
  }
  return checks
}

const items = (schema: SchemaObject, compiling: Compiling): Check | undefined => {
  const { additionalItems, items: given, prefixItems } = schema
  const older = compiling.dialect === "draft-07"
  const tuple = (
    older ? (Array.isArray(given) ? given : []) : (prefixItems ?? [])
  ) as ReadonlyArray<JsonSchema>
  const rest = older && Array.isArray(given) ? additionalItems : given
  if (tuple.length === 0 && rest === undefined) return undefined
  const first = tuple.map(compiling.compile)
  const more = rest === undefined ? anything : compiling.compile(rest as JsonSchema)
  const length = first.length
  return {
    test: (value) => {
      if (!Array.isArray(value)) return true
      for (let index = 0; index < value.length; index++) {
        if (!(index < length ? first[index]! : more).test(value[index] as Json)) return false
      }
      return true
    },
    explain: (value, path, issues) => {
      if (!Array.isArray(value)) return
      for (const [index, item] of value.entries())
        (first[index] ?? more).explain(item as Json, `${path}/${index}`, issues)
    },
  }
}

const isUnique = (list: ReadonlyArray<Json>): boolean =>
  new Set(list.map(canonicalJson)).size === list.length
