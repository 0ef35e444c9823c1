/** Places in a sentence, and how one lies to another. */

export interface Place {
  readonly start: number
  readonly end: number
}

export const isInside = (one: Place, others: ReadonlyArray<Place>): boolean =>
  others.some(({ end, start }) => start <= one.start && end >= one.end)

export const doMeet = (one: Place, other: Place): boolean =>
  one.start < other.end && other.start < one.end

/** It starts or ends inside the other. */
export const isCut = (one: Place, other: Place): boolean =>
  (one.start >= other.start && one.start < other.end) ||
  (one.end > other.start && one.end <= other.end)

/** From the start of the first to the end of the last. */
export const around = (one: Place, other: Place): Place => ({
  start: Math.min(one.start, other.start),
  end: Math.max(one.end, other.end),
})

/** "The Guaranteed Growth Bond", "a guaranteed-rate quote": a word of commitment as a part of a name. */
export const isName = (text: string, { end, start }: Place): boolean => {
  const before = text.slice(0, start)
  const after = text.slice(end)
  return (
    /^-\p{L}/u.test(after) ||
    /\p{L}-$/u.test(before) ||
    (/^\p{Lu}\p{Ll}+(?:-\p{Lu}\p{Ll}+)?$/u.test(text.slice(start, end)) &&
      (/^ \p{Lu}\p{Ll}/u.test(after) || /\p{Lu}\p{Ll}+ $/u.test(before)))
  )
}

/** "To guarantee your seat, …" */
const PURPOSE = /^\P{L}*(?:in order |so as )?(?:to|para)\s+$/iu
/** "… so that it is sure to be read", but not "…, so it is sure to arrive". */
const AIM =
  /(?:[^\s,;:]\s+so|\bin order|\bpara|\ba fin de)(?:\s+(?:that|que))?(?:\s+[^\s,;:]+){1,3}\s+$/iu

/** What an act is for, and no promise. */
export const isPurpose = (text: string, { start }: Place): boolean => {
  const before = text.slice(0, start)
  return PURPOSE.test(before) || AIM.test(before)
}
