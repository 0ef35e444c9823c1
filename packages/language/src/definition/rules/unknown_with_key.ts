/** PL4005: the stage kind takes no such value. */
import type { Rule } from "./Rule.ts"

export const unknownWithKey: Rule = {
  code: "PL4005",
  slug: "unknown_with_key",
  severity: "error",
  title: "The stage kind takes no such value",
  why: "It would be ignored, and what you meant by it would not happen.",
  mend: "Take the key the message suggests.",
  wrong: "uses: narrow\nwith: { limits: 8 }",
  right: "uses: narrow\nwith: { limit: 8 }",
}
