/** Whether a quote ends the string it stands in: the one question that unescaped quotes make hard. */
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
      return position.inObject && closesBeforeBracket(source, at, next, string)
    case "]":
      return position.inArray && closesBeforeBracket(source, at, next, string)
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
    if (source.isName(next)) return true
    if (isQuote(char)) return string.suspicious ? "weak" : true
    if (char === "." || char === "[" || char === "{") return string.suspicious ? "weak" : true
    return startsLine(source, comma, next) && !string.suspicious ? true : "weak"
  }
  if (position.place === "whole") return isQuote(char) || !isWord(char) ? true : "weak"
  if (isQuote(char) || !/[\p{L}]/u.test(char)) return true
  return isShortItem(source, next) ? true : "weak"
}

const startsLine = (source: Source, comma: number, next: number): boolean =>
  source.text.slice(comma, next).includes("\n")

/** A bare word that an array may hold: it ends, without a quote, at the next comma or bracket. */
const isShortItem = (source: Source, at: number): boolean => {
  for (let i = at; i < at + 64; i++) {
    const char = source.char(i)
    if (char === "," || char === "]" || char === "\n") return true
    if (char === "" || isQuote(char)) return false
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
  // `['"]+`: brackets that no JSON follows are text.
  if (PATTERN.includes(source.char(bracket + 1)) && source.char(bracket + 1) !== "") return "weak"
  if (!string.suspicious) return true
  const body = source.text.slice(Math.max(string.body, at - LOOK_BACK), at)
  const closer = source.char(bracket)
  if (body.lastIndexOf(closer === "}" ? "{" : "[") <= body.lastIndexOf(closer)) return true
  // `{"k": 1}, which …`: words after the bracket are not JSON.
  const after = source.char(source.skip(bracket + 1))
  return after === "" || !(after === "," || isWord(after) || isQuote(after)) ? true : "weak"
}

const PATTERN = "(+*?\\|^$"

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
    if (next > at + 1 && source.isName(next)) return true
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
  return isLastWord(source, next) || lostItsQuote(source, at, next) ? true : "weak"
}

/** `"a" b", "c"`: one word, apart from the string before it, that lacks its first quote. An inch sign follows a digit. */
const lostItsQuote = (source: Source, at: number, next: number): boolean => {
  const before = source.text[at - 1] ?? " "
  if (next === at + 1 || isSpace(before) || (before >= "0" && before <= "9")) return false
  let i = next
  while (i < next + 64 && isWord(source.char(i))) i++
  if (i === next || source.char(i) !== source.text[at]) return false
  const char = source.char(source.skip(i + 1))
  return char === "," || char === "]"
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

const NAME_BEFORE = /,\s*([\p{L}_$][\p{L}\p{N}_$-]*)\s*[:=]\s*$/u

/** Where a string without its last quote ended, when this quote opens what comes after it; -1 otherwise. */
const missingQuote = (
  source: Source,
  at: number,
  string: StringSoFar,
  position: Position,
  follower: string,
): number => {
  if (at <= string.body) return -1
  const before = source.before(at)
  if (before.at < string.body) return -1
  const char = source.text[before.at]!
  // `"one +⏎ "two"`, `"one/* … */+"two"`
  if (char === "+") {
    const ended = source.before(before.at)
    if (ended.at >= string.body && (before.apart || source.text[before.at - 1] === "/"))
      if (before.apart || ended.apart) return ended.at + 1
  }
  if (position.place === "whole") return -1
  if (position.place === "key") {
    return char === ":" &&
      (isWord(follower) || isSpace(follower)) &&
      source.char(at + 1) === follower
      ? before.at
      : -1
  }
  if (position.place === "member") {
    if ((char === "," || before.apart) && isQuote(source.char(at)) && source.isName(at)) {
      // `"a, "k": 1}` opens an object of its own when the text opened a bracket that is still open.
      return char === "," ? before.at : before.at + 1
    }
    if (char === ":" || char === "=") {
      const found = NAME_BEFORE.exec(source.text.slice(Math.max(string.body, at - 80), at))
      if (found !== null) return Math.max(string.body, at - 80) + found.index
    }
    return -1
  }
  if (char !== "," || string.suspicious || !isWord(follower)) return -1
  const end = source.quotedEnd(at)
  if (end < 0) return -1
  const then = source.char(source.skip(end))
  return then === "," || then === "]" ? before.at : -1
}
