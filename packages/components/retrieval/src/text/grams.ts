/** Character 3- to 5-grams, which match misspelled, compound and inflected words. */

/** The grams of a word with markers at both ends, so that prefixes and suffixes are distinct. */
export const grams = (word: string): ReadonlyArray<string> => {
  const marked = `^${word}$`
  const found: Array<string> = []
  for (let start = 0; start < marked.length; start++)
    for (let size = 3; size <= 5 && start + size <= marked.length; size++)
      found.push(marked.slice(start, start + size))
  return found
}
