/** English words for numbers. */
import type { Reading } from "../Reading.ts"
import { scales } from "../tokens.ts"

const small =
  "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  )

const numberWords: ReadonlyMap<string, number> = new Map([
  ...small.map((word, at) => [word, at + 2] as const),
  ["one", 1],
  ["twenty", 20],
  ["thirty", 30],
  ["forty", 40],
  ["fifty", 50],
  ["hundred", 100],
])

/** "10,000", "two", "a million", "five hundred". */
export const numberAt = (
  reading: Reading,
  at: number,
): { readonly value: number; readonly end: number } | undefined => {
  const token = reading.tokens[at]
  if (token === undefined || reading.isTaken(at)) return undefined
  const scaled = (value: number, end: number) => {
    const scale = reading.isTaken(end) ? undefined : scales.get(reading.stem(end))
    return scale === undefined ? { value, end } : { value: value * scale, end: end + 1 }
  }
  if (token.kind === "number" && token.value !== undefined) return scaled(token.value, at + 1)
  const spoken = numberWords.get(token.word)
  if (spoken !== undefined) return scaled(spoken, at + 1)
  const scale = token.word === "a" ? scales.get(reading.stem(at + 1)) : undefined
  return scale === undefined ? undefined : { value: scale, end: at + 2 }
}
