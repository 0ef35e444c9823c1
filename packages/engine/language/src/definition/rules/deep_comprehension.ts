/** PL1302: comprehensions are nested too deeply. */
import type { Rule } from "./Rule.ts"

export const deepComprehension: Rule = {
  code: "PL1302",
  slug: "deep_comprehension",
  severity: "error",
  title: "Comprehensions are nested too deeply",
  why: "Each level multiplies the work: three of them over 300 items are 27 million steps.",
  fix: "Do part of the work in a stage.",
  wrong: "a.map(x, b.map(y, c.map(z, z)))",
  right: "a.map(x, b.map(y, y))",
}
