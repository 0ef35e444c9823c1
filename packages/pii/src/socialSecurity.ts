/** US social security numbers, written with hyphens, in ranges that are assigned. */
import type { PiiDetector } from "./PiiKind.ts"

const NUMBER =
  /(?<![\p{L}\p{N}_.,-])(?!000|666|9)\d{3}([-\u2010-\u2013])(?!00)\d{2}\1(?!0000)\d{4}(?![\p{L}\p{N}_]|[-.,]\d)/gu

export const socialSecurity: PiiDetector = {
  kind: "ssn",
  longest: 11,
  open: /\d[\d\u2010-\u2013-]*[.,]?$/,
  find: (text) =>
    [...text.matchAll(NUMBER)].map(({ 0: match, index }) => ({
      start: index,
      end: index + match.length,
    })),
}
