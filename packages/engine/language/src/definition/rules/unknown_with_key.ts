/** PL4005: unknown key under `with`. */
import type { Rule } from "./Rule.ts"

export const unknownWithKey: Rule = {
  code: "PL4005",
  slug: "unknown_with_key",
  severity: "error",
  title: "Unknown key under `with`",
  why: "The stage kind would ignore it.",
  fix: "Use the key that the message suggests.",
  wrong: "uses: narrow\nwith: { limits: 8 }",
  right: "uses: narrow\nwith: { limit: 8 }",
}
