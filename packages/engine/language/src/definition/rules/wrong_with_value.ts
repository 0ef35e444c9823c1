/** PL4007: the value does not match the stage kind's schema. */
import type { Rule } from "./Rule.ts"

export const wrongWithValue: Rule = {
  code: "PL4007",
  slug: "wrong_with_value",
  severity: "error",
  title: "The value does not match the stage kind's schema",
  why: "The stage would reject it when it runs.",
  fix: "Write a value that matches.",
  wrong: "uses: narrow\nwith: { limit: many }",
  right: "uses: narrow\nwith: { limit: 8 }",
}
