/** Whether a quote ends the string it stands in: the one question that unescaped quotes make hard. */
import { missingQuote } from "./missingQuote.ts"
import { isComma, isQuote, isSpace, isWord, type Source } from "./Source.ts"

/** What a string is: a name, its value, an item of a list, or all of the text. */
export type Place = "key" | "member" | "item" | "whole"

/** Where a string stands. */
export interface Position {
  readonly place: Place
  /** Brackets that stand open around it. */
  readonly inObject: boolean
  readonly inArray: boolean
  readonly inParens: boolean
}

export interface StringSoFar {
  /** Offset of the body. */
  readonly body: number
  /** A quote of its own kind was already found to be text. */
  readonly suspicious: boolean
}

/**
 * - `true`: it closes.
 * - `false`: it is text.
 * - `weak`: it is text, unless nothing later closes the string.
 * - a number: the closing quote is missing; the string ended there.
 */
export type Verdict = boolean | "weak" | number

export const closes = (
  source: Source,
  at: number,
  string: StringSoFar,
  position: Position,
): Verdict => {
  const next = source.skip(at + 1)
  const char = source.char(next)
  if (char === "") return true
  const missing = missingQuote(source, at, string, position, char)
  if (missing >= 0) return missing
  if (char === "`" && source.has("```", next)) return true
  if (position.place === "key") return closesKey(source, at, next, char, position)
  if (isComma(char)) return closesBeforeComma(source, next, string, position)
  switch (char) {
    case "}":
      return position.inObject
        ? closesBeforeBracket(source, at, next, string)
        : closesBeforeStray(source, at, next, string, position)
    case "]":
      return position.inArray
        ? closesBeforeBracket(source, at, next, string)
        : closesBeforeStray(source, at, next, string, position)
    case ")":
      return (
        position.inParens ||
        (position.place === "whole" && source.char(source.skip(next + 1)) === "")
      )
    case "+":
      return isQuote(source.char(source.skip(next + 1)))
    case ":":
      return position.place === "item" && position.inArray && !string.suspicious
    case "<":
      return source.char(next + 1) === "/" || source.char(next + 1) === "|"
  }
  return closesBeforeValue(source, at, next, char, string, position)
}

/** A name ends before its colon, or before a value when the colon is missing. */
const closesKey = (
  source: Source,
  at: number,
  next: number,
  char: string,
  position: Position,
): Verdict => {
  if (char === ":" || char === "：" || char === "=") return true
  if (char === "-" && source.char(next + 1) === ">") return true
  if (char === "*" && source.has("**:", next)) return true
  if (char === "," || char === "}" || (char === "]" && position.inArray)) return "weak"
  if (next === at + 1) return char >= "0" && char <= "9" ? true : "weak"
  return isQuote(char) || char === "{" || char === "[" || /[\d\-tfnTFN]/.test(char) ? true : "weak"
}

/** `"…", x`: what follows the comma must be able to follow it. */
const closesBeforeComma = (
  source: Source,
  comma: number,
  string: StringSoFar,
  position: Position,
): Verdict => {
  const next = source.skip(comma + 1)
  const char = source.char(next)
  if (char === "" || "}],;`\\".includes(char)) return true
  if (position.place === "member") {
    if (source.has('**"', next) || source.isName(next)) return true
    if (isQuote(char)) return string.suspicious ? "weak" : true
    if (char === "." || char === "[" || char === "{") return string.suspicious ? "weak" : true
    return startsLine(source, comma, next) && !string.suspicious ? true : "weak"
  }
  if (position.place === "whole") return isQuote(char) || !isWord(char) ? true : "weak"
  if (isQuote(char) || !/[\p{L}]/u.test(char)) return true
  return isShortItem(source, next, string) ? true : "weak"
}

const startsLine = (source: Source, comma: number, next: number): boolean =>
  source.slice(comma, next).includes("\n")

/** A bare word that an array may hold: it ends at the next comma or bracket, without a quote or with the last one only. */
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

/** `"…"}`: the bracket may close one that the text itself opened. */
const closesBeforeBracket = (
  source: Source,
  at: number,
  bracket: number,
  string: StringSoFar,
): Verdict => {
  if (!string.suspicious) return true
  const body = source.slice(Math.max(string.body, at - LOOK_BACK), at)
  const closer = source.char(bracket)
  if (body.lastIndexOf(closer === "}" ? "{" : "[") <= body.lastIndexOf(closer)) return true
  // `{"k": 1}, which …`: words after the bracket are not JSON.
  const after = source.char(source.skip(bracket + 1))
  return after === "" || !(after === "," || isWord(after) || isQuote(after)) ? true : "weak"
}

/** `"a": "x"]`: a bracket that nothing opened, where another one was meant or none. */
const closesBeforeStray = (
  source: Source,
  at: number,
  bracket: number,
  string: StringSoFar,
  { place }: Position,
): Verdict => {
  if (place === "whole" || string.suspicious) return false
  const body = source.slice(Math.max(string.body, at - LOOK_BACK), at)
  if (body.includes(source.char(bracket) === "}" ? "{" : "[")) return false
  const after = source.char(source.skip(bracket + 1))
  return after === "" || ",}])".includes(after)
    ? closesBeforeBracket(source, at, bracket, string)
    : false
}

/** How far back a bracket in the text is looked for, in UTF-16 units. */
const LOOK_BACK = 1024

/** A value or a word right after the quote: a missing comma, or a quote inside the text. */
const closesBeforeValue = (
  source: Source,
  at: number,
  next: number,
  char: string,
  string: StringSoFar,
  position: Position,
): Verdict => {
  if (position.place === "member") {
    // `"a": "x""b": 1`: only its comma is missing.
    if ((next > at + 1 || (isQuote(char) && !string.suspicious)) && source.isName(next)) return true
    return !string.suspicious && isWord(char) && next > at + 1 && isLastWord(source, next)
      ? true
      : "weak"
  }
  if (position.place === "whole")
    return isQuote(char) && startsLine(source, at, next) ? true : "weak"
  if (isQuote(char)) {
    if (next === at + 1) return "weak"
    if (startsLine(source, at, next)) return true
    const end = source.quotedEnd(next)
    if (end < 0) return "weak"
    const follower = source.char(source.skip(end))
    return follower === "" || /[,\]{[\d-]/.test(follower) || isQuote(follower) ? true : "weak"
  }
  if (char === "{" || char === "[") return next > at + 1 && !string.suspicious ? true : "weak"
  if (next === at + 1 || !(isWord(char) || char === "-" || char === ".")) return "weak"
  if (startsLine(source, at, next)) return true
  if (string.suspicious) return "weak"
  return isLastWord(source, next) ? true : "weak"
}

/** One bare word and then a comma or bracket: `"a" 2]`. */
const isLastWord = (source: Source, at: number): boolean => {
  let i = at
  while (i < at + 64 && (isWord(source.char(i)) || "-.+".includes(source.char(i)))) {
    if (source.char(i) === "") break
    i++
  }
  const char = source.char(source.skip(i))
  return char === "" || char === "," || char === "]" || char === "}"
}
