/** Where text without quotes ends: at a mark that can be no part of it, which depends on where it stands. */
import { plain } from "./plain.ts"
import { isComma, isQuote, isSpace, type Source } from "./Source.ts"

/** Text that is being read, as far as its end depends on it. */
export interface Bare {
  readonly source: Source
  readonly start: number
  readonly place: "key" | "member" | "item" | "whole"
  /** How many brackets the text itself has opened. */
  readonly opened: number
}

/** Longest number that may end at a mark other than a comma. */
const NUMBER_LENGTH = 32

/** Whether the text ends before this unit. */
export const endsAt = (bare: Bare, char: string, at: number): boolean => {
  const { place, source } = bare
  if (place === "key") return endsName(bare, char, at)
  if (char === "\n" || char === "\r") return true
  if (isQuote(char) && at > bare.start) {
    if (place === "whole") return false
    if (source.isName(at)) return place === "member" && isSpace(source.at(at - 1))
    return false
  }
  if (bare.opened > 0) return false
  if (char > "~") return place !== "whole" && isComma(char) && endsAtWideComma(bare, at)
  switch (char) {
    case ",":
      return place !== "member" || endsAtComma(bare, at)
    case "\\":
      return place !== "whole" && source.escapedBlank(at) > 0
    case "}":
    case "]":
    case ")":
      return place !== "whole"
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
      return (source.char(at + 1) === "*" && at > bare.start) || beginsComment(bare, at)
    case "#":
      return beginsComment(bare, at)
  }
  return false
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

/** In an object a comma ends bare text when a name, a bracket or nothing follows. */
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

/** `12，`, `true、`: such a comma may as well be a part of words. */
const endsAtWideComma = (bare: Bare, at: number): boolean => {
  const next = bare.source.skip(at + 1)
  return saysValue(bare, at) || isQuote(bare.source.char(next)) || bare.source.isName(next)
}

/** What stands before `end` is a number or a literal. */
const saysValue = (bare: Bare, end: number): boolean => {
  const text = bare.source.slice(bare.start, end).trim()
  return text.length <= NUMBER_LENGTH && plain(text, false).kind !== "string"
}

const endsAtSemicolon = (bare: Bare, at: number): boolean => {
  const next = bare.source.skip(at + 1)
  const char = bare.source.char(next)
  if (bare.place === "whole") return char === ""
  if (saysValue(bare, at)) return true
  return char === "" || char === "}" || char === "]" || (isQuote(char) && bare.source.isName(next))
}

const beginsComment = ({ source, start }: Bare, at: number): boolean =>
  at > start && isSpace(source.at(at - 1)) && source.commentEnd(at, at + 1024) >= 0
