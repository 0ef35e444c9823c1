/** Fast path for numbers and literals without errors. */
import type { Plain } from "../Node.ts"
import {
  COMMA,
  FEED,
  MINUS,
  isDigit,
  pastDigits,
  POINT,
  QUOTE,
  SPACE,
  unitsOf,
  ZERO,
} from "../units.ts"

/** Characters that end a plain scalar. */
const ENDS = unitsOf(",]}\n")

/** Digits of a plain number; longer ones and exponents are left to the tolerant reader. */
const MAX_WHOLE_DIGITS = 14
const MAX_FRACTION_DIGITS = 14

/** Offset after a plain scalar, -1 in case of doubt. Never looks past the available text. */
export const plainScalarEnd = (text: string, start: number, inObject: boolean): number => {
  const first = text.charCodeAt(start)
  const isNumber = first === MINUS || isDigit(first)
  const end = isNumber ? numberEnd(text, start) : literalEnd(text, start, first)
  const next = text.charCodeAt(end)
  if (end < 0 || ENDS[next] !== 1) return -1
  // `12,111` in an object is one number.
  return isNumber && inObject && next === COMMA && !isApart(text.charCodeAt(end + 1)) ? -1 : end
}

/** The value of a plain scalar. */
export const plainValue = (text: string, start: number, end: number): Plain => {
  switch (text[start]) {
    case "t":
      return true
    case "f":
      return false
    case "n":
      return null
  }
  const value = Number(text.slice(start, end))
  return value === 0 ? 0 : value
}

const isApart = (code: number): boolean => code === SPACE || code === FEED || code === QUOTE

const literalEnd = (text: string, start: number, first: number): number => {
  const word = first === 116 ? "true" : first === 102 ? "false" : first === 110 ? "null" : ""
  return word !== "" && text.startsWith(word, start) ? start + word.length : -1
}

const numberEnd = (text: string, start: number): number => {
  const from = text.charCodeAt(start) === MINUS ? start + 1 : start
  const point = pastDigits(text, from)
  const digits = point - from
  if (digits === 0 || digits > MAX_WHOLE_DIGITS || (digits > 1 && text.charCodeAt(from) === ZERO))
    return -1
  if (text.charCodeAt(point) !== POINT) return point
  const end = pastDigits(text, point + 1)
  return end > point + 1 && end <= point + 1 + MAX_FRACTION_DIGITS ? end : -1
}
