/** Joins the results of several queries: each passage once, best first, and the libraries in which no query finds anything. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { mergeRanked } from "./mergeRanked.ts"

/** The result of one query. */
export interface QueryResult {
  readonly id: string
  readonly query: string
  /** Filters besides the words. */
  readonly params: JsonObject
  readonly found: boolean
  readonly text: string
  readonly passages: ReadonlyArray<JsonObject>
  readonly unknown: ReadonlyArray<string>
  readonly read_as: ReadonlyArray<JsonObject>
  readonly searched: ReadonlyArray<string>
  readonly empty: ReadonlyArray<string>
  readonly unreadable: ReadonlyArray<Json>
  readonly cut: ReadonlyArray<Json>
  readonly complete: boolean
  /** The reason for which the query was not searched. */
  readonly error?: string
}

export const joinResults = (results: ReadonlyArray<QueryResult>): JsonObject => {
  const searched = distinct(results.flatMap((one) => one.searched))
  const filled = results.flatMap(({ empty, searched: own }) =>
    own.filter((name) => !empty.includes(name)),
  )
  const empty = searched.filter((name) => !filled.includes(name))
  const found = results.some((one) => one.found)
  // The nearest of a query without a hit are no part of what others find.
  const shown = found ? results.filter((one) => one.found) : results
  const passages = distinctPassages(
    mergeRanked(
      shown.map((one) => one.passages),
      ({ score }) => Number(score),
    ),
  )
  return {
    text: textOf(results, passages.length, empty),
    found,
    results: results.map(({ cut: _, complete: __, unreadable: ___, ...one }) => ({ ...one })),
    passages,
    empty,
    unreadable: distinct(results.flatMap((one) => one.unreadable)),
    cut: distinct(results.flatMap((one) => one.cut)),
    complete: results.every(({ complete }) => complete),
  }
}

const textOf = (
  results: ReadonlyArray<QueryResult>,
  passages: number,
  empty: ReadonlyArray<string>,
): string => {
  const lacking = results
    .filter(({ found }) => !found)
    .map(({ text }) => (/[.!?]$/.test(text) ? text : `${text}.`))
  const nothing = empty.length === 0 ? [] : [`Nothing is found in ${empty.join(", ")}.`]
  const count = `${passages} ${passages === 1 ? "passage" : "passages"}.`
  return [...(results.some(({ found }) => found) ? [count] : []), ...lacking, ...nothing].join(" ")
}

/** The same passage may answer several queries. */
const distinctPassages = (passages: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> => {
  const best = new Map<string, JsonObject>()
  for (const passage of passages) {
    const key = JSON.stringify([passage["library"], passage["id"]])
    if (!best.has(key)) best.set(key, passage)
  }
  return [...best.values()]
}

const distinct = <A extends Json>(values: ReadonlyArray<A>): ReadonlyArray<A> => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
]
