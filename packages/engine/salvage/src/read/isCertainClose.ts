/** Fast check: whether a bracket certainly closes its container, judged by the text after it. */
import type { Kind } from "./Node.ts"
import { bareNameEnd } from "./string/plainEnd.ts"
import * as unit from "./units.ts"

/** `false` leaves the decision to the tolerant reader. Never looks past the available text. */
export const isCertainClose = (text: string, at: number, around: Kind | undefined): boolean => {
  const next = unit.pastBlanks(text, at + 1)
  const code = text.charCodeAt(next)
  if (isCloser(code) || code === unit.QUOTE) return true
  if (code !== unit.COMMA) return unit.isLetter(code)
  const then = unit.pastBlanks(text, next + 1)
  const follower = text.charCodeAt(then)
  if (isCloser(follower)) return true
  if (around === "object") return bareNameEnd(text, then) >= 0 || isQuotedName(text, then, follower)
  return follower === unit.OPEN_OBJECT || follower === unit.OPEN_LIST || isNumber(follower)
}

const isCloser = (code: number): boolean => code === unit.CLOSE_OBJECT || code === unit.CLOSE_LIST

const isNumber = (code: number): boolean => code === unit.MINUS || unit.isDigit(code)

/** Longest name that lookahead recognizes. */
const MAX_NAME_UNITS = 200

/** A quoted name directly followed by a colon. */
const isQuotedName = (text: string, start: number, quote: number): boolean => {
  if (quote !== unit.QUOTE && quote !== unit.TICK) return false
  for (let at = start + 1; at < start + MAX_NAME_UNITS; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return text.charCodeAt(at + 1) === unit.COLON
    if (code === unit.BACKSLASH || code === unit.FEED) return false
  }
  return false
}
