/** Skips tokens of valid JSON. For an invalid token the result is `~offset` of the error, which is negative. */

import {
  BACKSLASH,
  COLON,
  MINUS,
  isDigit,
  pastBlanks,
  pastDigits,
  POINT,
  QUOTE,
  ZERO,
} from "../units.ts"

const ESCAPES = '"\\/bfnrtu'

/** More digits may exceed a double's precision; the tolerant reader checks those. */
const MAX_DIGITS = 15

/** Offset after a name, its colon and blanks. */
export const pastName = (text: string, start: number): number => {
  if (text.charCodeAt(start) !== QUOTE) return ~start
  const end = pastText(text, start)
  if (end < 0) return end
  const colon = pastBlanks(text, end)
  return text.charCodeAt(colon) === COLON ? pastBlanks(text, colon + 1) : ~colon
}

/** `first`: the unit at `start`. */
export const pastScalar = (text: string, start: number, first: number): number => {
  if (first === QUOTE) return pastText(text, start)
  if (first === MINUS || isDigit(first)) return pastNumber(text, start)
  if (text.startsWith("true", start) || text.startsWith("null", start)) return start + 4
  return text.startsWith("false", start) ? start + 5 : ~start
}

export const pastText = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code < 32) return ~at
    if (code === BACKSLASH && !ESCAPES.includes(text.charAt(++at))) return ~at
  }
  return ~text.length
}

/** Accepts plain numbers only; an exponent or a negative zero is left to the tolerant reader. */
const pastNumber = (text: string, start: number): number => {
  const from = text.charCodeAt(start) === MINUS ? start + 1 : start
  let at = pastDigits(text, from)
  if (at === from || (at > from + 1 && text.charCodeAt(from) === ZERO)) return ~at
  if (text.charCodeAt(at) === POINT) {
    const point = at
    at = pastDigits(text, point + 1)
    if (at === point + 1) return ~at
  }
  const isZero = from > start && Number(text.slice(from, at)) === 0
  return at - from > MAX_DIGITS || isZero ? ~at : at
}
