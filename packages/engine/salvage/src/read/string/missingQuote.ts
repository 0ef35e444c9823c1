/** Finds the end of a string whose closing quote is missing. */
import type { StringContext, StringSoFar } from "./StringContext.ts"
import { isComma, isQuote, isSpace, isWord } from "../characters.ts"
import type { Source } from "../Source.ts"

/** End of a string without its last quote if the quote at `at` opens the next string, else -1. */
export const missingQuote = (
  source: Source,
  at: number,
  string: StringSoFar,
  position: StringContext,
  follower: string,
): number => {
  if (at <= string.body) return -1
  const before = source.before(at)
  if (before.at < string.body) return -1
  const char = source.at(before.at)
  if (position.role === "whole") return -1
  if (position.role === "key") {
    const named = follower === ":" && !string.suspicious ? null : nameOf(source, at, string)
    if (named !== null && !",}]".includes(follower)) return string.body + named[0].length
    return -1
  }
  const ended = beforeBrackets(source, at, string)
  if (ended >= 0) return ended
  if (position.role === "member") {
    if ((isComma(char) || before.apart) && isQuote(source.char(at)) && source.isName(at)) {
      // `"a, "k": 1}` opens an object of its own when the text opened a bracket that is still open.
      return isComma(char) ? before.at : before.at + 1
    }
    return -1
  }
  if (char !== "," || string.suspicious || !isWord(follower)) return -1
  const end = source.quotedEnd(at)
  if (end < 0) return -1
  const then = source.char(source.skip(end))
  return then === "," || then === "]" ? before.at : -1
}

const NAME_AND_COLON = /^\s*[\p{L}_$][\p{L}\p{N}_$ -]{0,63}?(?=\s*(?:[:：]|=>?\s))/u

/** `"a: 1, "b": 2`: a name without its last quote. */
const nameOf = (source: Source, at: number, { body }: StringSoFar): RegExpExecArray | null =>
  NAME_AND_COLON.exec(source.slice(body, Math.min(at, body + 80)))

/**
 * `["a], "k": 1`: brackets before a name that were not opened inside the text. Returns -1 if there are none, or if the text
 * may quote a document.
 */
const beforeBrackets = (source: Source, at: number, { body, suspicious }: StringSoFar): number => {
  if (!isQuote(source.char(at))) return -1
  const from = Math.max(body, at - LOOKBACK_UNITS)
  const text = source.slice(from, at)
  let closer = -1
  let ready = false
  let i = at - 1
  for (; i >= from; i--) {
    const char = text[i - from]!
    if (char === "}" || char === "]") {
      if (!ready) return -1
      closer = i
    } else if (isComma(char) || char === "{" || char === "[") {
      // Closing brackets come before the comma, opening ones after it.
      if (isComma(char)) ready = true
      else if (ready) return -1
    } else if (!isSpace(char)) break
  }
  if (closer < 0 || i < from) return -1
  const before = text.slice(0, closer - from)
  const open = text[closer - from] === "}" ? "{" : "["
  if (before.lastIndexOf(open) > before.lastIndexOf(text[closer - from]!)) return -1
  const end = before.trimEnd().length
  if (suspicious && !before.includes("\n", end)) return -1
  return source.isName(at) ? from + end : -1
}

/** Distance to search back for the end of a text. */
const LOOKBACK_UNITS = 512
