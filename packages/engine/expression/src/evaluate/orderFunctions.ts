/** Expression functions that add up, order or group the items of a list. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { hint } from "../Suggestion.ts"
import { define as setKey } from "./access.ts"
import { define, fail, identity, show } from "./ExpressionFunction.ts"
import type { ArgumentIssue, ExpressionFunction } from "./ExpressionFunction.ts"
import { itemOf, sameList } from "./listFunctions.ts"
import {
  any,
  describeType,
  fieldIn,
  int,
  listOf,
  mapOf,
  membersOf,
  namesIn,
  nullType,
  number,
  objectOf,
  string,
  union,
} from "../infer/Type.ts"
import type { Field, Type } from "../infer/Type.ts"

/** The sum of whole numbers, or of an empty list, is a whole number. */
const sumOf = ([list]: ReadonlyArray<Type>): Type =>
  list?.kind === "list" && (list.item.kind === "int" || list.item.kind === "never") ? int : number

/** Lists of numbers or lists of texts; mixed lists have no order. */
const ordered: Type = { kind: "union", members: [listOf(number), listOf(string)] }

const records = listOf(mapOf(any))

/** Compares two numbers or two texts; fails for other pairs. */
const order = (a: Json, b: Json): number => {
  if (typeof a === "number" && typeof b === "number") return a - b
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0
  return fail(`${show(a)} and ${show(b)} have no order`)
}

const nonEmpty = <A>(list: ReadonlyArray<A>, what: string): ReadonlyArray<A> =>
  list.length > 0 ? list : fail(`${what}() of an empty list`)

const total = (list: ReadonlyArray<number>): number => {
  const sum = list.reduce((before, item) => before + item, 0)
  return Number.isFinite(sum) ? sum : fail("the result is not a finite number")
}

/** The literal names that the argument `field` can have, and the type of such a field of an item. */
const fieldsOf = ([list, name]: ReadonlyArray<Type>): ReadonlyArray<
  readonly [name: string, item: Type, field: Field | undefined]
> =>
  name?.kind !== "string" || name.values === undefined
    ? []
    : name.values.flatMap((one) =>
        membersOf(itemOf(list)).map((item) => {
          const known = item.kind === "object" ? fieldIn(item, one) : undefined
          const rest = item.kind === "object" ? item.rest : any
          return [one, item, known ?? (rest && { type: rest, optional: true })] as const
        }),
      )

/** The type of the field that the items are ordered or grouped by; null stands for a missing one. */
const keyType = (args: ReadonlyArray<Type>): Type => {
  const fields = fieldsOf(args)
  if (fields.length === 0) return any
  return union(
    fields.map(([, , field]) =>
      field === undefined ? any : field.optional ? union([field.type, nullType]) : field.type,
    ),
  )
}

const checkField = (args: ReadonlyArray<Type>): ArgumentIssue | undefined => {
  const unknown = fieldsOf(args).find(([, , field]) => field === undefined)
  if (unknown === undefined) return undefined
  const [name, item] = unknown
  return {
    index: 1,
    code: "PL1201",
    message: `the items have no field "${name}"`,
    help: item.kind === "object" ? hint(name, namesIn(item), "they have") : undefined,
  }
}

const checkOrder = (args: ReadonlyArray<Type>): ArgumentIssue | undefined => {
  const missing = checkField(args)
  if (missing) return missing
  const type = keyType(args)
  const kinds = new Set(
    membersOf(type).map(({ kind }) =>
      kind === "int" ? "number" : kind === "never" ? "any" : kind,
    ),
  )
  kinds.delete("null")
  kinds.delete("any")
  const sortable =
    kinds.size <= 1 && [...kinds].every((kind) => kind === "number" || kind === "string")
  return sortable
    ? undefined
    : {
        index: 1,
        code: "PL1203",
        message: `sort_by() orders numbers or texts, this field is ${describeType(type)}`,
      }
}

/** Each item with its field, null for a missing one; fails if no item has the field. */
const withField = (
  list: ReadonlyArray<JsonObject>,
  name: string,
): ReadonlyArray<readonly [item: JsonObject, key: Json]> => {
  if (list.length > 0 && !list.some((item) => Object.hasOwn(item, name))) {
    fail(`no item has a field ${show(name)}`)
  }
  return list.map((item) => [item, Object.hasOwn(item, name) ? item[name]! : null])
}

const sortBy = (list: ReadonlyArray<JsonObject>, name: string, direction = "asc"): Json => {
  if (direction !== "asc" && direction !== "desc")
    fail(`the order is "asc" or "desc", not ${show(direction)}`)
  const sign = direction === "asc" ? 1 : -1
  return withField(list, name)
    .toSorted(([, a], [, b]) =>
      a === null || b === null ? Number(a === null) - Number(b === null) : sign * order(a, b),
    )
    .map(([item]) => item)
}

const groupBy = (list: ReadonlyArray<JsonObject>, name: string): Json => {
  const groups = Map.groupBy(withField(list, name), ([, key]) => identity(key))
  return [...groups.values()].map((members) => ({
    key: members[0]![1],
    items: members.map(([item]) => item),
  }))
}

const keyBy = (list: ReadonlyArray<JsonObject>, name: string): Json => {
  const object: { [key: string]: Json } = {}
  for (const [item, key] of withField(list, name)) {
    if (key === null || typeof key === "object")
      fail(`key_by() needs a text or a number in ${show(name)}, found ${show(key)}`)
    if (Object.hasOwn(object, String(key))) fail(`key_by() found ${show(key)} twice`)
    setKey(object, String(key), item)
  }
  return object
}

export const orderFunctions = (): ReadonlyArray<ExpressionFunction> => [
  define("sum(list<number>) → number", {
    summary: "The sum of all numbers; 0 for an empty list.",
    example: ["sum([1, 2, 3])", 6],
    params: [listOf(number)],
    returns: sumOf,
    apply: total,
  }),
  define("avg(list<number>) → number", {
    summary: "The mean of all numbers.",
    example: ["avg([1, 2])", 1.5],
    params: [listOf(number)],
    returns: number,
    apply: (list: ReadonlyArray<number>) => total(nonEmpty(list, "avg")) / list.length,
  }),
  define("min(list<A>) → A", {
    summary: "The smallest item.",
    example: ["min([3, 1])", 1],
    params: [ordered],
    returns: ([list]) => itemOf(list),
    apply: (list: ReadonlyArray<Json>) =>
      nonEmpty(list, "min").reduce((a, b) => (order(a, b) <= 0 ? a : b)),
  }),
  define("max(list<A>) → A", {
    summary: "The largest item.",
    example: ["max(['a', 'b'])", "b"],
    params: [ordered],
    returns: ([list]) => itemOf(list),
    apply: (list: ReadonlyArray<Json>) =>
      nonEmpty(list, "max").reduce((a, b) => (order(a, b) >= 0 ? a : b)),
  }),
  define("sort(list<A>) → list<A>", {
    summary: "Smallest first.",
    example: ["sort([2, 1])", [1, 2]],
    params: [ordered],
    returns: sameList,
    apply: (list: ReadonlyArray<Json>) => list.toSorted(order),
  }),
  define('sort_by(list<A>, field: text, order?: "asc" | "desc") → list<A>', {
    summary: "Objects ordered by a field with numbers or texts; those without it come last.",
    example: ["sort_by([{'n': 1}, {'n': 2}], 'n', 'desc')", [{ n: 2 }, { n: 1 }]],
    params: [records, string, { kind: "string", values: ["asc", "desc"] }],
    optional: 1,
    returns: sameList,
    check: checkOrder,
    apply: sortBy,
  }),
  define("group_by(list<A>, field: text) → list<{ key, items: list<A> }>", {
    summary: "Objects with the same value of a field together, in the order of the first of each.",
    example: [
      "group_by([{'city': 'Bonn', 'n': 1}, {'city': 'Bonn', 'n': 2}], 'city').map(g, [g.key, size(g.items)])",
      [["Bonn", 2]],
    ],
    params: [records, string],
    returns: (args) => listOf(objectOf({ key: keyType(args), items: sameList(args) })),
    check: checkField,
    apply: groupBy,
  }),
  define("key_by(list<A>, field: text) → object<A>", {
    summary: "Objects by the value of a field; fails if two have the same.",
    example: ["key_by([{'id': 'a', 'n': 1}], 'id')['a'].n", 1],
    params: [records, string],
    returns: ([list]) => mapOf(itemOf(list)),
    check: checkField,
    apply: keyBy,
  }),
]
