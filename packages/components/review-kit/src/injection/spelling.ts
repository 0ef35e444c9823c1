/** Misspelled words of a vocabulary: a letter is missing, or the letters inside a word are in another order. */

/** Letters of the shortest word that is corrected: misspelled shorter ones are often other words. */
const MIN_LETTERS = 6

/** Longest word that is read. */
const MAX_LETTERS = 32

/** Words of a vocabulary by the forms of their misspellings. */
export interface Spelling {
  readonly words: ReadonlySet<string>
  readonly byForm: ReadonlyMap<string, string>
}

export const spellingOf = (words: Iterable<string>): Spelling => {
  const known = new Set(words)
  const byForm = new Map<string, string>()
  for (const word of known) {
    if (word.length < MIN_LETTERS) continue
    byForm.set(shuffled(word), word)
    for (const shorter of withoutOne(word)) byForm.set(shorter, word)
  }
  return { words: known, byForm }
}

export const corrected = (text: string, { byForm, words }: Spelling): string =>
  text.replaceAll(/\p{L}+/gu, (written) => {
    if (written.length < MIN_LETTERS - 1 || written.length > MAX_LETTERS) return written
    const word = written.toLowerCase()
    if (words.has(word)) return written
    return byForm.get(shuffled(word)) ?? byForm.get(word) ?? written
  })

/** The same for all words of these letters that start and end alike. */
const shuffled = (word: string): string =>
  `${word[0]}${Array.from(word.slice(1, -1)).toSorted().join("")}${word.at(-1)}`

/** A letter inside is missing. */
const withoutOne = (word: string): ReadonlyArray<string> =>
  Array.from(
    { length: word.length - 2 },
    (_, index) => word.slice(0, index + 1) + word.slice(index + 2),
  )
