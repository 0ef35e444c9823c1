/** Classes of characters: blanks, quotes, commas, and characters of words. */

const SPACE = /[\s\u180e\u200b-\u200d\u2060\ufeff]/u
const QUOTES = "\"'`“”„‟‘’‚‛´«»"

// Almost every character is ASCII; the sets are consulted for others only.
export const isSpace = (char: string): boolean =>
  char === " " ||
  char === "\n" ||
  char === "\t" ||
  char === "\r" ||
  ((char < "!" || char > "~") && char !== "" && SPACE.test(char))

export const isQuote = (char: string): boolean =>
  char === '"' || char === "'" || char === "`" || (char > "~" && QUOTES.includes(char))

/** Commas of any script, and semicolons used as commas. */
export const isComma = (char: string): boolean =>
  char === "," || char === ";" || (char > "~" && "，、；،؛".includes(char))

const WORD = /[\p{L}\p{N}_$]/u
export const isWord = (char: string): boolean =>
  (char >= "a" && char <= "z") || (char >= "0" && WORD.test(char)) || char === "$"
