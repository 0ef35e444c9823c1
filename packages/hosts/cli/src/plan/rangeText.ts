/** Formats the limits of a worst case, and the parts of its calls. */
import { isExact, type Parts, type Purpose, type Range } from "@planloom/estimate"
import { plural } from "../terminal/quantity.ts"

/** An upper limit that is not known is not written. */
export const rangeText = (range: Range, show: (value: number) => string): string =>
  isExact(range)
    ? `at most ${show(range.most)}`
    : Number.isFinite(range.most)
      ? `at least ${show(range.least)}, at most ${show(range.most)}`
      : `at least ${show(range.least)}`

const names: { readonly [P in Purpose]: string } = {
  questions:
    "questions of stages, with retries, reruns, turns, every model of `try` and requests that continue a paused reply",
  continuations: "continuations of replies that were cut",
  repairs: "repairs of replies that are no JSON of the schema",
  reviews: "questions of reviewers",
  tools: "questions of tools",
  searches: "calls of embedders and rerankers for searches",
  workflows: "calls of nested workflows",
  fallback: "calls of fallbacks",
}

/** One line for each part; empty if there is only one. */
export const partLines = (parts: Parts): ReadonlyArray<string> => {
  const all = (
    Object.entries(parts) as ReadonlyArray<readonly [Purpose, NonNullable<Parts[Purpose]>]>
  ).filter(([, { calls }]) => calls.most > 0)
  return all.length < 2
    ? []
    : all.map(
        ([purpose, work]) =>
          `${rangeText(work.calls, (value) => plural(value, "call"))}: ${names[purpose]}`,
      )
}
