/** PL1005: curly quotes around a value, which are part of its text. */
import type { Rule } from "./Rule.ts"

export const curlyQuotes: Rule = {
  code: "PL1005",
  slug: "curly_quotes",
  severity: "warning",
  title: "Curly quotes around a value",
  why: "YAML knows straight quotes only: curly ones are part of the text, which the model or tool reads with them.",
  fix: "Write straight quotes. Where a text is a quotation, put straight quotes around the curly ones.",
  wrong: "with: { task: “Say hello.” }",
  right: 'with: { task: "Say hello." }',
}
