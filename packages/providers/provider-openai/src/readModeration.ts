/** Reads the answer of a moderation endpoint, of which nothing is certain: a category that cannot be read never passes. */
import type { ProviderError } from "@planloom/provider-kit"
import { fromApiError } from "./toProviderError.ts"

/** The judgement of a service on one category in one part of a text. */
export interface Moderated {
  readonly category: string
  readonly isFlagged: boolean
  /** From 0 to 1; not every service gives it. */
  readonly score: number | undefined
}

interface Answer {
  readonly error?: unknown
  readonly results?: unknown
}

interface Result {
  readonly flagged?: unknown
  readonly categories?: unknown
  readonly category_scores?: unknown
}

/** The category of a part that a service flags without one. */
const UNNAMED = "other"

/** The failure if there is not one result for each part, with a verdict on each of its categories. */
export const readModeration = (
  answer: unknown,
  parts: number,
): ReadonlyArray<Moderated> | ProviderError => {
  const { error, results } = (answer ?? {}) as Answer
  if (error !== undefined && error !== null) return fromApiError({ error })
  if (!Array.isArray(results) || results.length !== parts) {
    const count = Array.isArray(results) ? `${results.length} results` : "no results"
    return unreadable(`${count}, not one for each of ${parts} parts of the text`)
  }
  const all: Array<Moderated> = []
  for (const result of results as ReadonlyArray<Result | null>) {
    const { categories, category_scores: scores, flagged } = result ?? {}
    if (!isObject(categories) || Object.keys(categories).length === 0) {
      return unreadable("a result without categories")
    }
    const before = all.length
    for (const [category, isFlagged] of Object.entries(categories)) {
      // OpenAI's has null where its model does not know a category.
      if (isFlagged === null) continue
      const score =
        isObject(scores) && Object.hasOwn(scores, category) ? scores[category] : undefined
      if (typeof isFlagged !== "boolean" || !(score === undefined || isShare(score))) {
        return unreadable(`no verdict on the category "${category}"`)
      }
      all.push({ category, isFlagged, score })
    }
    if (flagged === true && !all.slice(before).some(({ isFlagged }) => isFlagged)) {
      all.push({ category: UNNAMED, isFlagged: true, score: undefined })
    }
  }
  return all
}

const unreadable = (what: string): ProviderError => ({
  class: "invalid_output",
  message: `the service returned ${what}`,
})

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isShare = (value: unknown): value is number =>
  typeof value === "number" && value >= 0 && value <= 1
