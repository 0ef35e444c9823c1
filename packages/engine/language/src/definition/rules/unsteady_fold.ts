/** PL2010: `carry` and `next` differ in names or types. */
import type { Rule } from "./Rule.ts"

export const unsteadyFold: Rule = {
  code: "PL2010",
  slug: "unsteady_fold",
  severity: "error",
  title: "`carry` and `next` differ in names or types",
  why: "`iter` starts as `carry` and becomes `next`; every iteration needs the same names and types in it.",
  fix: "Give both the same names, and values of the same type.",
  wrong: "repeat: { carry: { count: 0 }, next: { cuont: 1 }, … }",
  right: 'repeat: { carry: { count: 0 }, next: { count: "${{ iter.count + 1 }}" }, … }',
}
