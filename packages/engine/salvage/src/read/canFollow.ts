/** Decides whether the text after a closing bracket fits the container around the closed one. */
import { isQuote } from "./characters.ts"
import type { Source } from "./Source.ts"

/** A comma and a name need an outer object, a comma and a value an outer array; the outermost value is followed by neither. */
export const canFollow = (source: Source, at: number, around: string | undefined): boolean => {
  const next = source.skip(at + 1)
  if (source.char(next) !== ",") return true
  const then = source.skip(next + 1)
  const char = source.char(then)
  if (char === "" || char === "}" || char === "]") return true
  if (around !== "object")
    return isScalarStart(char) || char === "{" || char === "[" || !source.isName(then)
  const isName = char !== "{" && char !== "[" && (source.isName(then) || isNameOnly(source, then))
  if (char === '"' && isCut(source, then)) return true
  return isName || char === "," || !(char === "{" || char === "[" || char === '"')
}

/** `], "k" 1`, `], "k: 1`: a name without its colon, or without its last quote. */
const isNameOnly = (source: Source, at: number): boolean => {
  const end = isQuote(source.char(at)) ? source.quotedEnd(at) : -1
  if (end < 0) return false
  if (/^[\p{L}_$][\p{L}\p{N}_$-]*:\s/u.test(source.slice(at + 1, end))) return true
  const char = source.char(source.skip(end))
  return isQuote(char) || isScalarStart(char) || char === "{" || char === "[" || /[tfn]/.test(char)
}

/** A name cut off by the end of the text. */
const isCut = (source: Source, at: number): boolean => {
  const end = source.quotedEnd(at)
  return end < 0 || source.char(source.skip(end)) === ""
}

const isScalarStart = (char: string): boolean => (char >= "0" && char <= "9") || char === "-"
