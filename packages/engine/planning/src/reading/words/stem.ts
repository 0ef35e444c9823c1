/** Stems for comparing English words: `photos` and `photo`, `charging` and `charge`. Not a word itself. */
export const stem = (word: string): string => {
  const plain = word.replace(/'s$/, "")
  if (plain.length < 4 || /[^a-z]/.test(plain)) return plain
  const cut = plain
    .replace(/ies$/, "y")
    .replace(/(?<=.{3})(?:ings?|ed)$/, "")
    .replace(/(?:(?<=s|x|ch|sh)e|(?<=[^su]))s$/, "")
  return cut.replace(/([bdgmnprt])\1$/, "$1").replace(/(?<=.{3})e$/, "")
}
