/** Suggests the known name nearest to an unknown one. */

/** The nearest candidate within a typo's distance; undefined if none is close enough. */
export const suggest = (word: string, candidates: Iterable<string>): string | undefined => {
  const wanted = normalize(word)
  let best: string | undefined
  let bestCost = wanted.length < 2 ? 0.5 : Math.max(1, Math.floor(wanted.length / 3)) + 0.5
  for (const candidate of candidates) {
    if (candidate === word) continue
    const cost = distance(wanted, normalize(candidate), bestCost)
    if (cost < bestCost) {
      best = candidate
      bestCost = cost
    }
  }
  return best
}

/** The farthest misspelling that leaves no doubt of what was meant. */
const MAX_CERTAIN = 2

/**
 * The one candidate that a misspelt word can only mean: at most two letters away, and no other is as near as that. Words
 * that differ in a number, such as `step1` and `step2`, are different names.
 */
export const onlyNear = (word: string, candidates: Iterable<string>): string | undefined => {
  const wanted = normalize(word)
  const limit = Math.min(
    MAX_CERTAIN,
    wanted.length < 3 ? 0 : Math.max(1, Math.floor(wanted.length / 3)),
  )
  const near = [...new Set(candidates)].filter((candidate) => {
    const other = normalize(candidate)
    return (
      candidate !== word && digits(other) === digits(wanted) && edits(wanted, other, limit) <= limit
    )
  })
  const same = near.filter((candidate) => normalize(candidate) === wanted)
  const [only, another] = same.length > 0 ? same : near
  return another === undefined ? only : undefined
}

const digits = (word: string): string => word.replaceAll(/\D+/g, " ").trim()

/** Converts other cases to snake_case: `maxRetries` and `max-retries` become `max_retries`. */
export const snakeCase = (word: string): string =>
  word
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[\s.-]+/g, "_")
    .toLowerCase()

/** A help text such as `did you mean "confidence"? it has: confidence, requirements`. */
export const hint = (
  word: string,
  candidates: ReadonlyArray<string>,
  among: string,
): string | undefined => {
  const near = suggest(word, candidates)
  const list = candidates.length === 0 ? "" : `${among}: ${abridge(candidates)}`
  if (near === undefined) return list === "" ? undefined : list
  return candidates.length <= 1 || candidates.length > 30
    ? `did you mean "${near}"?`
    : `did you mean "${near}"? ${list}`
}

/** A help text such as `did you mean "careful"?`, for messages that list the names already. */
export const didYouMean = (word: string, candidates: ReadonlyArray<string>): string | undefined => {
  const near = suggest(word, candidates)
  return near === undefined ? undefined : `did you mean "${near}"?`
}

/** Names that a help lists at most; more are those of tools. */
const MAX_NAMES = 30

/** Joins the names, or the first of very many. */
export const abridge = (names: ReadonlyArray<string>): string =>
  names.length <= MAX_NAMES
    ? names.join(", ")
    : `${names.slice(0, MAX_NAMES).join(", ")} and ${names.length - MAX_NAMES} more`

const normalize = (word: string): string => snakeCase(word).replaceAll("_", "")

/** The distance of two words. If one is a prefix of the other, each missing letter costs half an edit, at most one in total. */
const distance = (a: string, b: string, limit: number): number => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return a !== b && short.length >= 3 && long.startsWith(short)
    ? Math.min(1, (long.length - short.length) / 2)
    : edits(a, b, limit)
}

/** Restricted Damerau–Levenshtein distance; infinite where the lengths alone differ by more than the limit. */
const edits = (a: string, b: string, limit: number): number => {
  if (a === b) return 0
  if (Math.abs(a.length - b.length) > limit) return Infinity
  let before: Array<number> = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, before[j - 2]! + 1)
      }
      row.push(cost)
    }
    before = last
    last = row
  }
  return last[b.length]!
}
