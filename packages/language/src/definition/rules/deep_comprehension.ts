/** PL1302: too many comprehensions inside each other. */
import type { Rule } from "./Rule.ts"

export const deepComprehension: Rule = {
  code: "PL1302",
  slug: "deep_comprehension",
  severity: "error",
  title: "Too many comprehensions inside each other",
  why: "Each level multiplies the work: three of them over 300 items are 27 million steps.",
  mend: "Do part of the work in a stage.",
  wrong: "a.map(x, b.map(y, c.map(z, z)))",
  right: "a.map(x, b.map(y, y))",
}
