/** Character 3- to 5-grams: what finds a word that is misspelled, joined or bent. */

/** The grams of a word. Its ends are marked, so the start of a word is something of its own. */
export const grams = (word: string): ReadonlyArray<string> => {
  const marked = `^${word}$`
  const found: Array<string> = []
  for (let start = 0; start < marked.length; start++)
    for (let size = 3; size <= 5 && start + size <= marked.length; size++)
      found.push(marked.slice(start, start + size))
  return found
}
