/** Finds the end of text without quotes: a character that, in its context, cannot be part of the text. */
import { plain } from "./plain.ts"
import { isComma, isQuote, isSpace, isWord } from "../characters.ts"
import type { Source } from "../Source.ts"

/** State of the text being read that its end depends on. */
export interface Bare {
  readonly source: Source
  readonly start: number
  readonly role: "key" | "member" | "item" | "whole"
  /** Number of brackets opened inside the text. */
  readonly opened: number
}

/** Longest number that may end at a mark other than a comma, in UTF-16 units. */
const NUMBER_LENGTH = 32

/** Whether the text ends before this unit. */
export const endsAt = (bare: Bare, char: string, at: number): boolean => {
  const { role, source } = bare
  if (role === "key") return endsName(bare, char, at)
  if (char === "\n" || char === "\r") return !isContinued(bare, at)
  if (isQuote(char) && at > bare.start)
    return (
      role === "member" && source.isName(at) && (isSpace(source.at(at - 1)) || isValue(bare, at))
    )
  if (bare.opened > 0) return false
  if (char > "~") return role !== "whole" && isComma(char) && endsAtWideComma(bare, at)
  switch (char) {
    case ",":
      return role !== "member" || endsAtComma(bare, at)
    case "\\":
      return role !== "whole" && source.escapedBlank(at) > 0
    case "}":
    case "]":
    case ")":
      return role !== "whole"
    case ";":
      return endsAtSemicolon(bare, at)
    case "`":
      return source.has("```", at)
    case "{":
    case "[":
      return (
        at > bare.start && /^[-+]?[\d.]+\s*$/.test(source.slice(Math.max(bare.start, at - 32), at))
      )
    case "/":
      return (source.char(at + 1) === "*" && at > bare.start) || startsComment(bare, at)
    case "#":
      return startsComment(bare, at)
  }
  return false
}

/** Whether words on the next line belong to the text: they are no name, and the text is no number or literal. */
const isContinued = (bare: Bare, at: number): boolean => {
  const { role, source } = bare
  if (role !== "member") return false
  const next = source.skip(at)
  return isWord(source.char(next)) && !source.isName(next) && !isValue(bare, at)
}

const endsName = (bare: Bare, char: string, at: number): boolean => {
  if (isComma(char) || ":=：{}[]\n".includes(char)) return true
  if (char === "-" && bare.source.char(at + 1) === ">") return true
  if (char === "(") return false
  if (!isQuote(char) || at === bare.start) return false
  // `a": 1` lost its first quote; `word "a": 1` is not part of the name.
  const next = bare.source.char(bare.source.skip(at + 1))
  return !(next === ":" || next === "=" || next === "：")
}

/** In an object a comma ends bare text if a name, a bracket or the end of the text follows. */
const endsAtComma = (bare: Bare, at: number): boolean => {
  const { source } = bare
  const next = source.skip(at + 1)
  const char = source.char(next)
  if (char === "" || char === "}" || char === "]" || char === "," || isQuote(char) || char === "{")
    return true
  if (char === "." && source.has("...", next)) return true
  return (
    source.isName(next) ||
    (/^[-+\d.]+\s*$/.test(source.slice(bare.start, at)) && !/\d/.test(char)) ||
    source.slice(at, next).includes("\n")
  )
}

/** `12，`, `true、`: after words such a comma may be part of the text. */
const endsAtWideComma = (bare: Bare, at: number): boolean => {
  const next = bare.source.skip(at + 1)
  return isValue(bare, at) || isQuote(bare.source.char(next)) || bare.source.isName(next)
}

/** Whether the text before `end` is a number or a literal. */
const isValue = (bare: Bare, end: number): boolean => {
  const text = bare.source.slice(bare.start, end).trim()
  return text.length <= NUMBER_LENGTH && plain(text, false).kind !== "string"
}

const endsAtSemicolon = (bare: Bare, at: number): boolean => {
  const next = bare.source.skip(at + 1)
  const char = bare.source.char(next)
  if (bare.role === "whole") return char === ""
  if (isValue(bare, at)) return true
  return char === "" || char === "}" || char === "]" || (isQuote(char) && bare.source.isName(next))
}

const startsComment = ({ source, start }: Bare, at: number): boolean =>
  at > start && isSpace(source.at(at - 1)) && source.commentEnd(at, at + 1024) >= 0
