/** PL1301: `matches()` can take forever. */
import type { Rule } from "./Rule.ts"

export const unsafeRegex: Rule = {
  code: "PL1301",
  slug: "unsafe_regex",
  severity: "error",
  title: "`matches()` can take forever",
  why: "It backtracks: on a text made for it, or merely unlucky, it takes minutes or years.",
  mend: "Use `re_match(text, pattern)`, whose time grows with the text only.",
  wrong: 'if: inputs.code.matches("(a+)+$")',
  right: 'if: re_match(inputs.code, "(a+)+$")',
}
