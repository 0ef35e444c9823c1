/** PL0101: unknown key. */
import type { Rule } from "./Rule.ts"

export const unknownKey: Rule = {
  code: "PL0101",
  slug: "unknown_key",
  severity: "error",
  title: "Unknown key",
  why: "An unknown key would silently have no effect.",
  fix: "Use the key that the message suggests. Keys of your own start with `x-`.",
  wrong: "max_attempts: 3",
  right: "max_retries: 2",
}
