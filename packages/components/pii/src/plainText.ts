/** A text as people read it: digits of any script, full-width signs and spaces of any width as in ASCII, nothing invisible. */

export interface PlainText {
  readonly text: string
  /** Place in the original of a character; of the length, the length of the original. */
  readonly startOf: (index: number) => number
  /** End in the original of what ends here. */
  readonly endOf: (index: number) => number
}

/** Invisible characters in a row, above which they divide what stands around them. */
const MAX_INVISIBLE = 8

/** ASCII without white space, or what is written with it in European languages: most texts. */
const PLAIN = /^[\0-\u009f\u00a1-\u00ac\u00ae-\u024f]*$/

export const plainText = (text: string): PlainText => {
  if (PLAIN.test(text)) return { text, startOf: same, endOf: same }
  let plain = ""
  const starts: Array<number> = []
  const ends: Array<number> = []
  let invisible = 0
  let at = 0
  for (const character of text) {
    const start = at
    at += character.length
    const isInvisible = /\p{DI}/u.test(character)
    invisible = isInvisible ? invisible + 1 : 0
    if (isInvisible && invisible <= MAX_INVISIBLE) continue
    const shown = shownAs(character)
    plain += shown
    // Both halves of a character have their own place, unless one sign stands for it.
    const isSame = shown.length === character.length
    for (let index = 0; index < shown.length; index++) {
      starts.push(isSame ? start + index : start)
      ends.push(isSame ? start + index + 1 : at)
    }
  }
  return {
    text: plain,
    startOf: (index) => starts[index] ?? text.length,
    endOf: (index) => (index === 0 ? 0 : ends[index - 1]!),
  }
}

const same = (index: number): number => index

const shown = new Map<string, string>()

const shownAs = (character: string): string => {
  if (character < "\u0250" && character !== "\u00a0") return character
  let known = shown.get(character)
  if (known === undefined) {
    known = signOf(character)
    // Digits, spaces and hyphens are few.
    if (known !== character) shown.set(character, known)
  }
  return known
}

const signOf = (character: string): string => {
  if (/\p{Nd}/u.test(character)) return String(digitOf(character.codePointAt(0)!))
  if (/\p{Zs}/u.test(character)) return " "
  if (/[\u2010-\u2013\u2212]/.test(character)) return "-"
  // Full-width signs, and the letters that mathematicians use.
  return /[\uff01-\uff5e\u{1d400}-\u{1d7ff}]/u.test(character)
    ? character.normalize("NFKC")
    : character
}

/** Digits of a script follow each other from 0 to 9. */
const digitOf = (code: number): number => {
  const normal = Number(String.fromCodePoint(code).normalize("NFKC"))
  if (!Number.isNaN(normal)) return normal
  let digit = 0
  while (digit < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - digit - 1))) digit++
  return digit
}
