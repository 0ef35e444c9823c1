/** Loops of models that babble: a short part that follows itself again and again. */

/** Characters of the longest part that is looked for. */
const LONGEST_PART = 60

/** The least repetitions of a part, and characters of all of them, that make a loop. */
const LEAST_TIMES = 6
const LEAST_LENGTH = 80

/** Rows of tables may be equal, and marks draw lines: both take more. */
const LEAST_LENGTH_OF_ROWS = 240

/** True for a text with such a part anywhere; letter case and the width of spaces make no difference. */
export const isLoop = (text: string): boolean => {
  const plain = text
    .toLowerCase()
    .replaceAll(/[^\S\n]+/gu, " ")
    .replaceAll(/\s*\n\s*/g, "\n")
  for (let size = 1; size <= Math.min(LONGEST_PART, plain.length / LEAST_TIMES); size++) {
    let equal = 0
    for (let at = size; at < plain.length; at++) {
      equal = plain.charCodeAt(at) === plain.charCodeAt(at - size) ? equal + 1 : 0
      const length = equal + size
      if (length < LEAST_LENGTH || length < size * LEAST_TIMES) continue
      if (length >= leastOf(plain.slice(at - size + 1, at + 1))) return true
    }
  }
  return false
}

const leastOf = (part: string): number =>
  part.includes("\n") || !/\p{L}/u.test(part) ? LEAST_LENGTH_OF_ROWS : LEAST_LENGTH
