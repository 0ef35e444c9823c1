/** PL0004: a key is there twice. */
import type { Rule } from "./Rule.ts"

export const duplicateKey: Rule = {
  code: "PL0004",
  slug: "duplicate_key",
  severity: "error",
  title: "A key is there twice",
  why: "YAML keeps only the last of them, without a word; what the first one says would never happen.",
  mend: "Keep one of the two.",
  wrong: "timeout: 30s\ntimeout: 5m",
  right: "timeout: 5m",
}
