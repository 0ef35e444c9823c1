/** Suggests the names nearest to a mistyped one. */

/** Returns at most two similar candidates, nearest first. */
export const nearest = (word: string, candidates: Iterable<string>): ReadonlyArray<string> => {
  const wanted = plain(word)
  const limit = Math.max(1, Math.floor(wanted.length / 3))
  return [...candidates]
    .map((name) => ({ name, edits: distance(wanted, plain(name)) }))
    .filter(
      ({ edits, name }) => edits <= limit || (wanted.length > 2 && plain(name).includes(wanted)),
    )
    .toSorted((a, b) => a.edits - b.edits)
    .slice(0, 2)
    .map(({ name }) => name)
}

/** Returns `did you mean "plan"?`, or the list of candidates if none is similar. */
export const suggestion = (word: string, candidates: ReadonlyArray<string>): string | undefined => {
  const near = nearest(word, candidates)
  if (near.length > 0) return `did you mean ${near.map((name) => `"${name}"`).join(" or ")}?`
  if (candidates.length === 0) return undefined
  const more = candidates.length > 16 ? ` and ${candidates.length - 16} more` : ""
  return `available: ${candidates.slice(0, 16).join(", ")}${more}`
}

const plain = (word: string): string => word.toLowerCase().replaceAll(/[-_.\s]/g, "")

/** Levenshtein distance, computed one row at a time. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + same))
    }
    row = next
  }
  return row[b.length]!
}
