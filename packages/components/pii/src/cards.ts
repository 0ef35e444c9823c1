/** Numbers of payment cards: of a length and prefix that issuers use, with a correct check digit. */
import type { PiiDetector } from "./PiiKind.ts"

/** Fewest and most digits of a number. */
const MIN_DIGITS = 12
const MAX_DIGITS = 19

/** Prefixes and lengths of the networks. */
const NETWORKS: ReadonlyArray<readonly [prefix: RegExp, lengths: ReadonlyArray<number>]> = [
  // Every network has numbers of 16 digits, and new networks get new prefixes.
  [/^[2-6]|^8[12]/, [16]],
  [/^4/, [13, 19]],
  [/^3[47]|^1800|^2131/, [15]],
  [/^30[0-59]|^3[689]/, [14, 15, 17, 18, 19]],
  [/^22|^35|^6[0245]|^8[12]/, [17, 18, 19]],
  [/^5[06-9]|^6|^0604/, [12, 13, 14, 15, 17, 18, 19]],
]

/** Lengths of the groups in which numbers are printed. */
const PRINTED = /^(?:4,4,4,4(?:,[1-3])?|4,6,[45]|4,4,4|4,4,5|6,13|1(?:,1){11,18})$/

/** A space or hyphen; a full stop or low line only between groups as they are printed. */
const SEPARATOR = /[ ._-]/

/** Digits after it are part of an identifier or of a decimal fraction. */
const NOT_BEFORE = /[\p{L}_]$|\d[.,]$/u

interface Group {
  readonly start: number
  readonly end: number
  /** The one character between it and the group before it, if that is a separator. */
  readonly joint: string | undefined
}

export const cards: PiiDetector = {
  kind: "card",
  longest: 2 * MAX_DIGITS - 1,
  open: /\d(?:[ ._-]?\d)*[ ._-]?$/,
  find: (text) => {
    const groups = groupsOf(text)
    const found: Array<{ readonly start: number; readonly end: number }> = []
    for (let first = 0; first < groups.length; first++) {
      const last = lastOf(text, groups, first)
      if (last === undefined) continue
      found.push({ start: groups[first]!.start, end: groups[last]!.end })
      first = last
    }
    return found
  },
}

const groupsOf = (text: string): ReadonlyArray<Group> => {
  const groups: Array<Group> = []
  for (const { 0: digits, index: start } of text.matchAll(/\d+/g)) {
    const between = groups.at(-1)?.end === start - 1 ? text[start - 1]! : ""
    const joint = SEPARATOR.test(between) ? between : undefined
    groups.push({ start, end: start + digits.length, joint })
  }
  return groups
}

/** The last group of the longest number that starts with `first`. */
const lastOf = (text: string, groups: ReadonlyArray<Group>, first: number): number | undefined => {
  if (NOT_BEFORE.test(text.slice(Math.max(0, groups[first]!.start - 2), groups[first]!.start))) {
    return undefined
  }
  let digits = ""
  let longest: number | undefined
  let isDotted = false
  const sizes: Array<number> = []
  for (let last = first; last < groups.length; last++) {
    const { end, joint, start } = groups[last]!
    if (last > first && joint === undefined) break
    isDotted ||= last > first && /[._]/.test(joint!)
    digits += text.slice(start, Math.min(end, start + MAX_DIGITS + 1))
    if (digits.length > MAX_DIGITS) break
    sizes.push(end - start)
    // Most groups of most texts end here.
    if (digits.length < MIN_DIGITS) continue
    const isWhole =
      !isDotted && groups[first]!.joint === undefined && groups[last + 1]?.joint === undefined
    if (isCardNumber(digits) && (isWhole || last === first || PRINTED.test(sizes.join())))
      longest = last
  }
  return longest
}

const isCardNumber = (digits: string): boolean =>
  NETWORKS.some(([prefix, lengths]) => lengths.includes(digits.length) && prefix.test(digits)) &&
  hasLuhnDigit(digits)

/** Luhn's check of the last digit. */
export const hasLuhnDigit = (digits: string): boolean => {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48
    const value = index % 2 === 0 ? digit : digit * 2
    sum += value > 9 ? value - 9 : value
  }
  return digits !== "" && sum % 10 === 0
}
