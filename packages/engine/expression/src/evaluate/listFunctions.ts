/** Expression functions on lists. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import {
  define,
  equal,
  fail,
  identity,
  MAX_LIST_ITEMS,
  orFail,
  renderText,
  show,
} from "./ExpressionFunction.ts"
import type { ArgumentIssue, ExpressionFunction } from "./ExpressionFunction.ts"
import { any, int, listOf, mapOf, objectOf, string, union } from "../infer/Type.ts"
import { fieldIn, membersOf, namesIn } from "../infer/Type.ts"
import type { Field, Type } from "../infer/Type.ts"

/** The type of the items of a list, or of each list of a union. */
export const itemOf = (list: Type | undefined): Type =>
  union(membersOf(list ?? any).map((member) => (member.kind === "list" ? member.item : any)))

/** The item type after flattening: the items of a list, or the type itself if it is not a list. */
const flatItem = (item: Type): Type => {
  if (item.kind === "list") return item.item
  return item.kind === "union" ? union(item.members.map(flatItem)) : item
}

export const sameList = ([list]: ReadonlyArray<Type>): Type => listOf(itemOf(list))

/** The type of an item, or of the fallback in its place. */
const itemOr = ([list, fallback]: ReadonlyArray<Type>): Type =>
  fallback ? union([itemOf(list), fallback]) : itemOf(list)

const bullet = (item: Json): string => `- ${renderText(item).replaceAll("\n", "\n  ")}`

const range = (start: number, end?: number): ReadonlyArray<number> => {
  const [from, to] = end === undefined ? [0, start] : [start, end]
  if (to - from > MAX_LIST_ITEMS) {
    return fail(`range() has at most ${MAX_LIST_ITEMS.toLocaleString("en")} items`)
  }
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
}

/** The lists that `zip` joins, by the names that their items get. */
const zipped = (first: Json, second: Json | undefined): JsonObject =>
  second === undefined ? (first as JsonObject) : { first, second }

const zip = (given: Json, other?: Json): ReadonlyArray<Json> => {
  const lists = Object.entries(zipped(given, other)) as ReadonlyArray<
    readonly [string, ReadonlyArray<Json>]
  >
  const length = lists[0]?.[1].length ?? 0
  const odd = lists.find(([, list]) => list.length !== length)
  if (odd) {
    fail(
      `zip() needs lists of one length: ${lists[0]![0]} has ${length} items, ${odd[0]} has ${odd[1].length}`,
    )
  }
  return Array.from({ length }, (_, index) =>
    Object.fromEntries(lists.map(([name, list]) => [name, list[index]!])),
  )
}

const zipType = ([given, other]: ReadonlyArray<Type>): Type => {
  if (other) return listOf(objectOf({ first: itemOf(given), second: itemOf(other) }))
  if (given?.kind !== "object" || given.rest) return listOf(mapOf(any))
  const fields = namesIn(given).map((name): [string, Field] => {
    const { optional, type } = fieldIn(given, name)!
    return [name, { type: itemOf(type), optional }]
  })
  return listOf({ kind: "object", fields: Object.fromEntries(fields), rest: undefined })
}

const checkZip = (args: ReadonlyArray<Type>): ArgumentIssue | undefined => {
  const wanted = args.length === 2 ? "a list" : "a list, or an object of lists"
  const isList = (type: Type): boolean =>
    membersOf(type).every(({ kind }) => kind === "list" || kind === "any" || kind === "never")
  const fits = (type: Type): boolean =>
    args.length === 2
      ? isList(type)
      : membersOf(type).every((member) =>
          member.kind === "object"
            ? namesIn(member).every((name) => isList(fieldIn(member, name)!.type)) &&
              isList(member.rest ?? any)
            : member.kind === "any" || member.kind === "never",
        )
  const index = args.findIndex((type) => !fits(type))
  return index === -1
    ? undefined
    : {
        index,
        code: "PL1203",
        message: `zip() joins ${args.length === 2 ? wanted : "lists"}`,
        help: 'write zip(xs, ys), or zip({"x": xs, "y": ys})',
      }
}

const isText = (kind: Type["kind"]): boolean =>
  kind === "string" || kind === "any" || kind === "never"

const chunk = (list: ReadonlyArray<Json>, length: number): Json => {
  if (length < 1) return fail(`chunk() needs a length of at least 1, not ${length}`)
  return Array.from({ length: Math.ceil(list.length / length) }, (_, index) =>
    list.slice(index * length, (index + 1) * length),
  )
}

export const listFunctions = (): ReadonlyArray<ExpressionFunction> => [
  define("bullets(list) → text", {
    summary: "A Markdown list, one item per line.",
    example: ["bullets(['tea', 'milk'])", "- tea\n- milk"],
    params: [listOf(any)],
    returns: string,
    apply: (list: ReadonlyArray<Json>) => list.map(bullet).join("\n"),
  }),
  define("range(end: int) or range(start: int, end: int) → list<int>", {
    summary: "The whole numbers from start (0) to before end.",
    example: ["range(1, 4)", [1, 2, 3]],
    params: [int, int],
    optional: 1,
    returns: listOf(int),
    apply: range,
  }),
  define(
    "zip(list<A>, list<B>) → list<{ first: A, second: B }> or zip(object of lists) → list<object>",
    {
      summary: "Lists of one length as a list of records; an object names the fields.",
      example: [
        "zip({'row': ['a', 'b'], 'score': [1, 2]})",
        [
          { row: "a", score: 1 },
          { row: "b", score: 2 },
        ],
      ],
      params: [union([listOf(any), mapOf(any)]), listOf(any)],
      optional: 1,
      returns: zipType,
      check: checkZip,
      apply: zip,
    },
  ),
  define("indexed(list<A>) → list<{ index: int, item: A }>", {
    summary: "Each item with its position, from 0.",
    example: ["indexed(['a'])", [{ index: 0, item: "a" }]],
    params: [listOf(any)],
    returns: ([list]) => listOf(objectOf({ index: int, item: itemOf(list) })),
    apply: (list: ReadonlyArray<Json>) => list.map((item, index) => ({ index, item })),
  }),
  define("first(list<A>, fallback?: B) → A | B", {
    summary: "The first item; of an empty list, the fallback.",
    example: ["first([3, 4])", 3],
    params: [listOf(any), any],
    optional: 1,
    returns: itemOr,
    instant: true,
    apply: (list: ReadonlyArray<Json>, fallback?: Json) =>
      list.length > 0 ? list[0]! : orFail(fallback, "first() of an empty list"),
  }),
  define("last(list<A>, fallback?: B) → A | B", {
    summary: "The last item; of an empty list, the fallback.",
    example: ["last([], 'none')", "none"],
    params: [listOf(any), any],
    optional: 1,
    returns: itemOr,
    instant: true,
    apply: (list: ReadonlyArray<Json>, fallback?: Json) =>
      list.length > 0 ? list.at(-1)! : orFail(fallback, "last() of an empty list"),
  }),
  define("index_of(list<A> | text, A | text) → int", {
    summary: "The first position of an item in a list, or of a part in a text; -1 if it has none.",
    example: ["index_of(['a', 'b'], 'b')", 1],
    params: [union([listOf(any), string]), any],
    returns: int,
    check: ([where, what]) =>
      where?.kind === "string" && what && membersOf(what).some(({ kind }) => !isText(kind))
        ? { index: 1, code: "PL1203", message: "index_of() finds a text in a text" }
        : undefined,
    apply: (where: ReadonlyArray<Json> | string, what: Json) =>
      typeof where === "string"
        ? where.indexOf(typeof what === "string" ? what : fail(`${show(what)} is not text`))
        : where.findIndex((item) => equal(item, what)),
  }),
  define("distinct(list<A>) → list<A>", {
    summary: "Each item once, in order.",
    example: ["distinct([1, 2, 1])", [1, 2]],
    params: [listOf(any)],
    returns: sameList,
    apply: (list: ReadonlyArray<Json>) => {
      const seen = new Set<string>()
      return list.filter((item) => seen.size < seen.add(identity(item)).size)
    },
  }),
  define("reverse(list<A>) → list<A>", {
    summary: "Last first.",
    example: ["reverse([1, 2])", [2, 1]],
    params: [listOf(any)],
    returns: sameList,
    apply: (list: ReadonlyArray<Json>) => list.toReversed(),
  }),
  define("slice(list<A>, start: int, end?: int) → list<A>", {
    summary: "Items from a start position to before an end position, as many as there are.",
    example: ["slice([1, 2, 3], 1, 9)", [2, 3]],
    params: [listOf(any), int, int],
    optional: 1,
    returns: sameList,
    apply: (list: ReadonlyArray<Json>, start: number, end?: number) => {
      if (start < 0 || (end !== undefined && end < start))
        fail(`there are no items from ${start} to ${end}`)
      return list.slice(start, end)
    },
  }),
  define("chunk(list<A>, length: int) → list<list<A>>", {
    summary: "The list in pieces of this length; the last may be shorter.",
    example: ["chunk([1, 2, 3], 2)", [[1, 2], [3]]],
    params: [listOf(any), int],
    returns: (types) => listOf(sameList(types)),
    apply: chunk,
  }),
  define("flatten(list<list<A>>) → list<A>", {
    summary: "A list of lists as one list.",
    example: ["flatten([[1], [2, 3]])", [1, 2, 3]],
    params: [listOf(any)],
    returns: ([list]) => listOf(flatItem(itemOf(list))),
    apply: (list: ReadonlyArray<Json>) => list.flat(),
  }),
]
