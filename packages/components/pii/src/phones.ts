/** Phone numbers of countries, and of any country if they are written with its prefix. */
import {
  isSupportedCountry,
  Metadata,
  parsePhoneNumberFromString,
  type CountryCode,
} from "libphonenumber-js/min"
import type { PiiDetector } from "./PiiKind.ts"

/** Longest number: its digits, separators and an extension. */
const MAX_LENGTH = 60

const MIN_DIGITS = 7
const MAX_DIGITS = 15

/** Most groups of digits: `+52 1 55 12 34 56 78`. */
const MAX_GROUPS = 8

const GROUP = /(?:\+ ?)?\(?\d+/g
/** What may stand between two groups. */
const SEPARATOR = /^[ \u00a0./\u2010-\u2015)-]{0,3}$/
/** A number does not start after it: identifiers, amounts, fractions, times. */
const NOT_BEFORE = /[\p{L}_@#$€£=+(]$|\d[.,:]$/u
/** A number does not end before it. */
const NOT_AFTER = /^(?:[\p{L}_%]|[.,:]?\d)/u
const EXTENSION = /^ ?(?:x|ext\.?) ?\d{1,6}(?!\d)/i
/** A name of a phone number right before it: then a number of any country is one. */
const NAMED =
  /(?:phone|telephone|mobile|cell|whatsapp|fax|tel[eé]fono|m[oó]vil|celular|tel)(?: ?(?:number|numbers|no|n[uú]mero|is|are|at|es|son|al?|#|:|\.|,))* ?\(?$/iu
const MAX_NAME = 40
const DATE = /^\d{1,4}([-/.])\d{1,2}\1\d{1,4}$/

interface Group {
  readonly start: number
  readonly end: number
  readonly digits: number
}

export const isPhoneCountry = (code: string): boolean => isSupportedCountry(code)

/** Throws RangeError unless each is the code of a country. */
export const phones = (countries: ReadonlyArray<string>): PiiDetector => {
  for (const country of countries) {
    if (!isSupportedCountry(country)) {
      throw new RangeError(`"${country}" is not the code of a country`)
    }
  }
  const regions = countries as ReadonlyArray<CountryCode>
  const lengths = new Set(regions.flatMap(lengthsIn))
  const isPhone = (number: string, digits: number, isNamed: boolean) =>
    isNamed ||
    (number.startsWith("+")
      ? // Ranges are assigned faster than tables of them are updated.
        parsePhoneNumberFromString(number)?.isPossible() === true
      : lengths.has(digits) &&
        regions.some((region) => parsePhoneNumberFromString(number, region)?.isValid() === true))
  return {
    kind: "phone",
    longest: MAX_LENGTH,
    open: /(?:\+ ?)?\(?\d[\d \u00a0+()./\u2010-\u2015:,-]*(?:e|ex|ext\.?|x)? ?\d*$|\+ ?\(?$|\($/i,
    find: (text) => {
      const groups = groupsOf(text)
      const found: Array<{ readonly start: number; readonly end: number }> = []
      for (let first = 0; first < groups.length; first++) {
        const { start } = groups[first]!
        const isNamed = NAMED.test(text.slice(Math.max(0, start - MAX_NAME), start))
        if (regions.length === 0 && text[start] !== "+" && !isNamed) continue
        if (NOT_BEFORE.test(text.slice(Math.max(0, start - 2), start))) continue
        const last = lastOf(text, groups, first, (number, digits) =>
          isPhone(number, digits, isNamed),
        )
        if (last === undefined) continue
        const { end } = groups[last]!
        const extension = EXTENSION.exec(text.slice(end, end + 14))?.[0].length ?? 0
        found.push({ start, end: end + extension })
        first = last
      }
      return found
    },
  }
}

/** Parsing takes time: most texts with digits are rejected by their length. */
const lengthsIn = (region: CountryCode): ReadonlyArray<number> => {
  const metadata = new Metadata()
  metadata.selectNumberingPlan(region)
  const plan = metadata.numberingPlan!
  // With the prefix of calls inside the country, of one or two digits.
  return plan.possibleLengths().flatMap((length) => [length, length + 1, length + 2])
}

const groupsOf = (text: string): ReadonlyArray<Group> =>
  [...text.matchAll(GROUP)].map(({ 0: match, index }) => ({
    start: index,
    end: index + match.length,
    digits: match.replaceAll(/\D/g, "").length,
  }))

/** The last group of the longest number that starts with `first`. */
const lastOf = (
  text: string,
  groups: ReadonlyArray<Group>,
  first: number,
  isPhone: (number: string, digits: number) => boolean,
): number | undefined => {
  const { start } = groups[first]!
  let digits = 0
  let longest: number | undefined
  for (let last = first; last < Math.min(groups.length, first + MAX_GROUPS); last++) {
    const group = groups[last]!
    if (last > first) {
      const isNext =
        text[group.start] !== "+" && SEPARATOR.test(text.slice(groups[last - 1]!.end, group.start))
      if (!isNext) break
    }
    digits += group.digits
    if (digits > MAX_DIGITS) break
    const after = text.slice(group.end, group.end + 14)
    if (digits < MIN_DIGITS || (NOT_AFTER.test(after) && !EXTENSION.test(after))) continue
    const number = text.slice(start, group.end)
    if (number.length <= MAX_LENGTH - 14 && !DATE.test(number) && isPhone(number, digits))
      longest = last
  }
  return longest
}
