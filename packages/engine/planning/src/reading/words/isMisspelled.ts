/** Whether a word can be one word of a tool only, with a typo; with a capital inside a sentence it is a name, with a digit a code. */
import { editDistance, toleratedTypos } from "../../repair/editDistance.ts"
import { stem } from "./stem.ts"
import type { Word } from "./Word.ts"

export const isMisspelled = ({ start, text, word }: Word, own: ReadonlySet<string>): boolean => {
  if (/\d/.test(word)) return false
  if (start > 0 && text.slice(0, 1) !== word.slice(0, 1)) return false
  const limit = toleratedTypos(word)
  if (limit === 0) return false
  const near = [...own].filter(
    (one) => one[0] === word[0] && editDistance(stem(word), one, limit) <= limit,
  )
  return near.length === 1
}
