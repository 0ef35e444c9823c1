/** Codes of JSON's characters, and sets of them: comparing numbers is much faster than comparing characters. */

export const TAB = 9
export const FEED = 10
export const RETURN = 13
export const SPACE = 32
export const QUOTE = 34
/** `'` */
export const TICK = 39
export const COMMA = 44
export const MINUS = 45
export const POINT = 46
export const ZERO = 48
export const NINE = 57
export const COLON = 58
export const OPEN_LIST = 91
export const BACKSLASH = 92
export const CLOSE_LIST = 93
export const OPEN_OBJECT = 123
export const CLOSE_OBJECT = 125

/** Set of ASCII codes, as indexes. Other codes, and `NaN` at the end of a text, are in no set. */
export type Units = Uint8Array

export const unitsOf = (chars: string): Units => {
  const set = new Uint8Array(128)
  for (let i = 0; i < chars.length; i++) set[chars.charCodeAt(i)] = 1
  return set
}

const LETTERS = unitsOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$")

export const isLetter = (code: number): boolean => LETTERS[code] === 1

export const isDigit = (code: number): boolean => code >= ZERO && code <= NINE

export const pastDigits = (text: string, from: number): number => {
  let at = from
  while (isDigit(text.charCodeAt(at))) at++
  return at
}

export const pastBlanks = (text: string, from: number): number => {
  let at = from
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit !== SPACE && unit !== FEED && unit !== RETURN && unit !== TAB) break
  }
  return at
}
