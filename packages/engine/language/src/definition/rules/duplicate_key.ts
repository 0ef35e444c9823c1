/** PL0004: a key occurs twice. */
import type { Rule } from "./Rule.ts"

export const duplicateKey: Rule = {
  code: "PL0004",
  slug: "duplicate_key",
  severity: "error",
  title: "A key occurs twice",
  why: "YAML silently keeps only the last one; the first value would have no effect.",
  fix: "Keep one of the two.",
  wrong: "timeout: 30s\ntimeout: 5m",
  right: "timeout: 5m",
}
