/** Stems English words, so that `calculating` matches `calculator`. */

/** Endings, longest first, and their replacements. */
const endings: ReadonlyArray<readonly [ending: string, replacement: string]> = [
  ["izations", "iz"],
  ["ization", "iz"],
  ["ational", "at"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["ications", "ic"],
  ["ication", "ic"],
  ["ations", "at"],
  ["ation", "at"],
  ["ators", "at"],
  ["ator", "at"],
  ["ating", "at"],
  ["ated", "at"],
  ["ates", "at"],
  ["ate", "at"],
  ["izing", "iz"],
  ["izer", "iz"],
  ["ized", "iz"],
  ["izes", "iz"],
  ["ize", "iz"],
  ["ising", "iz"],
  ["ments", ""],
  ["ment", ""],
  ["ness", ""],
  ["ities", ""],
  ["ity", ""],
  ["tions", "t"],
  ["tion", "t"],
  ["sions", "s"],
  ["sion", "s"],
  ["ings", ""],
  ["ing", ""],
  ["iest", "y"],
  ["ier", "y"],
  ["ies", "y"],
  ["ied", "y"],
  ["sses", "ss"],
  ["ers", ""],
  ["ors", ""],
  ["edly", ""],
  ["ely", ""],
  ["ly", ""],
  ["ed", ""],
  ["er", ""],
  ["or", ""],
  ["es", ""],
  ["s", ""],
  ["e", ""],
]

/** Words whose last letters are not an ending. */
const exceptions: ReadonlySet<string> = new Set(["news", "series", "species", "lens"])

const vowel = /[aeiouy]/

/** The stem of a lower-case word. Words under four letters and words with a digit are unchanged. */
export const stem = (word: string): string => {
  if (word.length < 4 || exceptions.has(word) || /[^a-z]/.test(word)) return word
  let cut = word
  for (const [ending, replacement] of endings) {
    if (!word.endsWith(ending)) continue
    const rest = word.slice(0, word.length - ending.length)
    if (rest.length < 3 || !vowel.test(rest)) continue
    if (ending === "s" && /(s|u|i)$/.test(rest)) continue
    cut = rest + replacement
    break
  }
  // `planning` → `plann` → `plan`
  if (/([bdfgmnprt])\1$/.test(cut)) cut = cut.slice(0, -1)
  // `weeks` and `weekly`, `city` and `cities`
  return cut.endsWith("y") ? `${cut.slice(0, -1)}i` : cut
}
