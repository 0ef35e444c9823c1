/** Decides whether a quote ends its string, which unescaped inner quotes make ambiguous. */
import { missingQuote } from "./missingQuote.ts"
import type { StringContext, StringSoFar } from "./StringContext.ts"
import { isComma, isQuote, isSpace, isWord } from "../characters.ts"
import { scalarRun } from "../scalar/scalarRun.ts"
import type { Source } from "../Source.ts"

/**
 * - `true`: the quote closes the string.
 * - `false`: it is text.
 * - `weak`: it is text, unless no later quote closes the string.
 * - a number: the closing quote is missing; the string ended at this offset.
 */
export type Verdict = boolean | "weak" | number

export const closesString = (
  source: Source,
  at: number,
  string: StringSoFar,
  position: StringContext,
): Verdict => {
  const next = source.skip(at + 1)
  const char = source.char(next)
  const direct = source.char(at + 1)
  // `"name: "# one"`: the text of the value begins like a comment.
  const isValue = position.role === "key" && (direct === "#" || direct === "/")
  if (char === "" && !isValue) return true
  const missing = missingQuote(source, at, string, position, isValue ? direct : char)
  if (missing >= 0) return missing
  if (char === "") return true
  if (char === "`" && source.has("```", next)) return true
  if (position.role === "key") return closesKey(source, at, next, char, position)
  if (isComma(char)) return closesBeforeComma(source, next, string, position)
  switch (char) {
    case "}":
      return position.inObject && closesBeforeBracket(source, at, next, string)
    case "]":
      return position.inArray && closesBeforeBracket(source, at, next, string)
    case ")":
      return (
        position.inParens ||
        (position.role === "whole" && source.char(source.skip(next + 1)) === "")
      )
    case "+":
      return isQuote(source.char(source.skip(next + 1)))
    case ":":
      return position.role === "item" && position.inArray && !string.suspicious
    case "<":
      return source.char(next + 1) === "/" || source.char(next + 1) === "|"
  }
  return closesBeforeValue(source, at, next, char, string, position)
}

/** A name ends before its colon, or before a value if the colon is missing. */
const closesKey = (
  source: Source,
  at: number,
  next: number,
  char: string,
  position: StringContext,
): Verdict => {
  if (char === ":" || char === "：" || char === "=") return true
  if (char === "-" && source.char(next + 1) === ">") return true
  if (char === "," || char === "}" || (char === "]" && position.inArray)) return "weak"
  if (next === at + 1) return char >= "0" && char <= "9" ? true : "weak"
  return isQuote(char) || char === "{" || char === "[" || /[\d\-tfnTFN]/.test(char) ? true : "weak"
}

/** `"…", x`: the text after the comma must be valid there. */
const closesBeforeComma = (
  source: Source,
  comma: number,
  string: StringSoFar,
  position: StringContext,
): Verdict => {
  const next = source.skip(comma + 1)
  const char = source.char(next)
  if (char === "" || "}],;`\\".includes(char)) return true
  if (position.role === "member") {
    if (source.isName(next)) return true
    if (isQuote(char)) return string.suspicious ? "weak" : true
    if (char === "." || char === "[" || char === "{") return string.suspicious ? "weak" : true
    return startsLine(source, comma, next) && !string.suspicious ? true : "weak"
  }
  if (position.role === "whole") return isQuote(char) || !isWord(char) ? true : "weak"
  if (isQuote(char) || !/[\p{L}]/u.test(char)) return true
  return isShortItem(source, next, string) ? true : "weak"
}

const startsLine = (source: Source, comma: number, next: number): boolean =>
  source.slice(comma, next).includes("\n")

/** A bare word as a list item: it ends at the next comma or bracket, without a quote or with the last one only. */
const isShortItem = (source: Source, at: number, { suspicious }: StringSoFar): boolean => {
  for (let i = at; i < at + 64; i++) {
    const char = source.char(i)
    if (char === "," || char === "]" || char === "\n") return true
    if (isQuote(char)) {
      const after = source.char(source.skip(i + 1))
      return !suspicious && (after === "," || after === "]") && !isSpace(source.char(i - 1))
    }
    if (char === "") return false
  }
  return false
}

/** `"…"}`: the bracket may close one that was opened inside the text. */
const closesBeforeBracket = (
  source: Source,
  at: number,
  bracket: number,
  string: StringSoFar,
): Verdict => {
  const body = source.slice(Math.max(string.body, at - LOOKBACK_UNITS), at)
  const closer = source.char(bracket)
  if (body.lastIndexOf(closer === "}" ? "{" : "[") <= body.lastIndexOf(closer)) return true
  if (!string.suspicious) return continuesText(source, bracket) ? "weak" : true
  // `{"k": 1}, which …`: words after the bracket are not JSON.
  const after = source.char(source.skip(bracket + 1))
  return after === "" || !(after === "," || isWord(after) || isQuote(after)) ? true : "weak"
}

/** `['"]+$`: what directly follows the brackets is not JSON. */
const continuesText = (source: Source, bracket: number): boolean => {
  let at = bracket + 1
  while (at < bracket + MAX_CLOSERS && "}]".includes(source.char(at) || "-")) at++
  const char = source.char(at)
  return (
    !(char === "" || isSpace(char) || isComma(char) || "`<)[{:".includes(char)) &&
    !source.isName(at)
  )
}

/** Most closing brackets in a row. */
const MAX_CLOSERS = 16

/** Distance to search back for a bracket. */
const LOOKBACK_UNITS = 1024

/** A value or a word right after the quote: a missing comma, or a quote inside the text. */
const closesBeforeValue = (
  source: Source,
  at: number,
  next: number,
  char: string,
  string: StringSoFar,
  position: StringContext,
): Verdict => {
  if (position.role === "member") {
    // `"a": "x""b": 1`: only its comma is missing.
    if ((next > at + 1 || (isQuote(char) && !string.suspicious)) && source.isName(next)) return true
    return "weak"
  }
  if (position.role === "whole")
    return isQuote(char) && startsLine(source, at, next) ? true : "weak"
  if (isQuote(char)) {
    // `"a""b"`: only the comma is missing; `"a ""b"" c"` quotes.
    if (next === at + 1 && (string.suspicious || isSpace(source.at(at - 1)))) return "weak"
    if (startsLine(source, at, next)) return true
    const end = source.quotedEnd(next)
    if (end < 0) return "weak"
    const follower = source.char(source.skip(end))
    return follower === "" || /[,\]{[\d-]/.test(follower) || isQuote(follower) ? true : "weak"
  }
  if (char === "{" || char === "[") return next > at + 1 && !string.suspicious ? true : "weak"
  if (next === at + 1 || !(isWord(char) || char === "-" || char === ".")) return "weak"
  if (startsLine(source, at, next)) return true
  // `"a" 5 true]`: only commas are missing.
  const follower = string.suspicious ? "" : (scalarRun(source, next)?.follower ?? "")
  return follower === "," || follower === "]" ? true : "weak"
}
