/** PL1301: `matches()` can take exponential time. */
import type { Rule } from "./Rule.ts"

export const unsafeRegex: Rule = {
  code: "PL1301",
  slug: "unsafe_regex",
  severity: "error",
  title: "`matches()` can take exponential time",
  why: "It backtracks: some texts take minutes or years.",
  fix: "Use `re_match(text, pattern)`, whose time grows linearly with the text.",
  wrong: 'if: inputs.code.matches("(a+)+$")',
  right: 'if: re_match(inputs.code, "(a+)+$")',
}
