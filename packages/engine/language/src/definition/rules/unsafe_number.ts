/** PL0007: the number cannot be represented exactly. */
import type { Rule } from "./Rule.ts"

export const unsafeNumber: Rule = {
  code: "PL0007",
  slug: "unsafe_number",
  severity: "error",
  title: "The number cannot be represented exactly",
  why: "JSON numbers are exact up to 2^53, and have no NaN or infinity; a longer number would silently lose digits.",
  fix: "Quote it if it is an id rather than an amount.",
  wrong: "account: 12345678901234567890",
  right: 'account: "12345678901234567890"',
}
