/** PL4007: the value does not fit the stage kind's schema. */
import type { Rule } from "./Rule.ts"

export const wrongWithValue: Rule = {
  code: "PL4007",
  slug: "wrong_with_value",
  severity: "error",
  title: "The value does not fit the stage kind's schema",
  why: "The stage would refuse it when it runs.",
  mend: "Write a value that fits.",
  wrong: "uses: narrow\nwith: { limit: many }",
  right: "uses: narrow\nwith: { limit: 8 }",
}
