/** US social security numbers in ranges that are assigned: written with hyphens or full stops, or named as such. */
import type { PiiDetector } from "./PiiKind.ts"

const START = "(?<![\\p{L}\\p{N}_.,-])(?!000|666|9)"
const END = "(?![\\p{L}\\p{N}_]|[-.,]\\d)"
const NUMBER = new RegExp(`${START}\\d{3}([-.])(?!00)\\d{2}\\1(?!0000)\\d{4}${END}`, "gu")
/** Nine digits are a number of many kinds, unless a name stands before them. */
const NAMED = new RegExp(
  `(?:\\bssn|social security(?: number)?|seguro social)[^\\d\\n]{0,16}${START}(?<number>\\d{3} ?(?!00)\\d{2} ?(?!0000)\\d{4})${END}`,
  "giu",
)

/** Longest number, with its name. */
const MAX_LENGTH = 64

export const socialSecurity: PiiDetector = {
  kind: "ssn",
  longest: MAX_LENGTH,
  open: /\d[\d. -]*[.,]?$/,
  find: (text) => [
    ...[...text.matchAll(NUMBER)].map(({ 0: match, index }) => ({
      start: index,
      end: index + match.length,
    })),
    ...[...text.matchAll(NAMED)].map(({ 0: match, groups, index }) => ({
      start: index + match.length - groups!["number"]!.length,
      end: index + match.length,
    })),
  ],
}
