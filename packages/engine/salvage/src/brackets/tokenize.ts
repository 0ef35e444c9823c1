/** Splits a document into brackets, commas, colons and scalars, without deciding how they nest. */

export interface BracketToken {
  /** A bracket, `,`, `:`, or `s` for a scalar or name. */
  readonly kind: string
  readonly start: number
  readonly end: number
  /** Column of the first token in its line, else -1. */
  readonly indent: number
}

/** Quotes are closed and commas are present: only brackets are left to doubt. */
const TOKEN = /[{}[\],:]|"(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\\\n]|\\[^\n])*'|[-+.\w$]+/y
const BLANKS = /\s*/y

/** Tokens up to the last closing bracket; `undefined` if the text was cut, or has more than `limit` tokens. */
export const tokenize = (
  text: string,
  from: number,
  limit: number,
): ReadonlyArray<BracketToken> | undefined => {
  const tokens: Array<BracketToken> = []
  let last = 0
  let at = from
  for (;;) {
    BLANKS.lastIndex = at
    BLANKS.exec(text)
    const start = BLANKS.lastIndex
    TOKEN.lastIndex = start
    const found = TOKEN.exec(text)
    if (found === null) break
    if (tokens.length === limit) return undefined
    const feed = text.slice(at, start).lastIndexOf("\n")
    const indent = feed < 0 ? -1 : start - at - feed - 1
    const [char] = found[0] as unknown as [string]
    const kind = "{}[],:".includes(char) ? char : "s"
    // Two words in a row: prose follows the document.
    if (kind === "s" && tokens.at(-1)?.kind === "s") break
    at = TOKEN.lastIndex
    tokens.push({ kind, start, end: at, indent })
    if (kind === "}" || kind === "]") last = tokens.length
  }
  const next = tokens[last]?.kind
  // The document continues after its last bracket: it was cut.
  return last === 0 || next === "," || next === ":" ? undefined : tokens.slice(0, last)
}
