/** PL0112: a word is in the vocabulary twice. */
import type { Rule } from "./Rule.ts"

export const duplicateWord: Rule = {
  code: "PL0112",
  slug: "duplicate_word",
  severity: "error",
  title: "A word is in the vocabulary twice",
  why: "A word that means two things of one kind cannot be understood; one that is listed twice is a slip.",
  mend: "Keep it in the list where it belongs.",
  wrong: "analysis:\n  total: [sum, overall]\n  average: [mean, overall]",
  right: "analysis:\n  total: [sum, overall]\n  average: [mean]",
}
