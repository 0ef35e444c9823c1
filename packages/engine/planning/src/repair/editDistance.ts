/** Edit distance between two words, and how many typos a word may have. */

/**
 * Damerau-Levenshtein distance in its optimal string alignment form: insertions, deletions,
 * substitutions and swaps of neighbours each count one. Stops early above `limit` and then gives
 * `limit + 1`.
 */
export const editDistance = (left: string, right: string, limit = Infinity): number => {
  if (Math.abs(left.length - right.length) > limit) return limit + 1
  let before: Array<number> = []
  let last = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let row = 1; row <= left.length; row++) {
    const next = [row]
    let least = row
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1]
      let cost = Math.min(
        (last[column] as number) + 1,
        (next[column - 1] as number) + 1,
        (last[column - 1] as number) + (same ? 0 : 1),
      )
      const swapped =
        row > 1 &&
        column > 1 &&
        left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1]
      if (swapped) cost = Math.min(cost, (before[column - 2] as number) + 1)
      next.push(cost)
      least = Math.min(least, cost)
    }
    if (least > limit) return limit + 1
    before = last
    last = next
  }
  return Math.min(last[right.length] as number, limit + 1)
}

/** How many typos a word of this length may have and still match: 0 in short words. */
export const toleratedTypos = (word: string): number =>
  word.length < 4 ? 0 : word.length < 8 ? 1 : 2
