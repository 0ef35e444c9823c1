/** Expression functions on lists. */
import type { Json } from "@planloom/plugin/effect"
import { checkRange, define, equal, fail, renderText, show } from "./ExpressionFunction.ts"
import type { ExpressionFunction } from "./ExpressionFunction.ts"
import { any, int, listOf, number, string, union } from "../infer/Type.ts"
import type { Type } from "../infer/Type.ts"

/** The sum of whole numbers, or of an empty list, is a whole number. */
const sumOf = ([list]: ReadonlyArray<Type>): Type =>
  list?.kind === "list" && (list.item.kind === "int" || list.item.kind === "never") ? int : number

/** Lists of numbers or lists of texts; mixed lists have no order. */
const ordered: Type = { kind: "union", members: [listOf(number), listOf(string)] }

const itemOf = ([list]: ReadonlyArray<Type>): Type => (list?.kind === "list" ? list.item : any)

/** The item type after flattening: the items of a list, or the type itself if it is not a list. */
const flatItem = (item: Type): Type => {
  if (item.kind === "list") return item.item
  return item.kind === "union" ? union(item.members.map(flatItem)) : item
}

const sameList = (args: ReadonlyArray<Type>): Type => listOf(itemOf(args))

/** Compares two numbers or two texts; fails for other pairs. */
const order = (a: Json, b: Json): number => {
  if (typeof a === "number" && typeof b === "number") return a - b
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0
  return fail(`${show(a)} and ${show(b)} have no order`)
}

const nonEmpty = <A>(list: ReadonlyArray<A>, what: string): ReadonlyArray<A> =>
  list.length > 0 ? list : fail(`${what}() of an empty list`)

const bullet = (item: Json): string => `- ${renderText(item).replaceAll("\n", "\n  ")}`

export const listFunctions: ReadonlyArray<ExpressionFunction> = [
  define(
    "bullets",
    "function",
    [listOf(any)],
    string,
    "A Markdown list, one item per line.",
    (list: ReadonlyArray<Json>) => list.map(bullet).join("\n"),
  ),
  define(
    "sum",
    "both",
    [listOf(number)],
    sumOf,
    "The sum of all numbers; 0 for an empty list.",
    (list: ReadonlyArray<number>) => list.reduce((total, item) => total + item, 0),
  ),
  define("min", "both", [ordered], itemOf, "The smallest item.", (list: ReadonlyArray<Json>) =>
    nonEmpty(list, "min").reduce((a, b) => (order(a, b) <= 0 ? a : b)),
  ),
  define("max", "both", [ordered], itemOf, "The largest item.", (list: ReadonlyArray<Json>) =>
    nonEmpty(list, "max").reduce((a, b) => (order(a, b) >= 0 ? a : b)),
  ),
  define(
    "distinct",
    "method",
    [listOf(any)],
    sameList,
    "Each item once, in order.",
    (list: ReadonlyArray<Json>) =>
      list.filter((item, index) => list.findIndex((other) => equal(other, item)) === index),
  ),
  define("sort", "method", [ordered], sameList, "Smallest first.", (list: ReadonlyArray<Json>) =>
    list.toSorted(order),
  ),
  define("reverse", "method", [listOf(any)], sameList, "Last first.", (list: ReadonlyArray<Json>) =>
    list.toReversed(),
  ),
  define(
    "slice",
    "method",
    [listOf(any), int, int],
    sameList,
    "Items from a start position to before an end position.",
    (list: ReadonlyArray<Json>, start: number, end: number = list.length) => {
      checkRange(list, start, end)
      return list.slice(start, end)
    },
    1,
  ),
  define(
    "flatten",
    "method",
    [listOf(any)],
    (args) => listOf(flatItem(itemOf(args))),
    "A list of lists as one list.",
    (list: ReadonlyArray<Json>) => list.flat(),
  ),
]
