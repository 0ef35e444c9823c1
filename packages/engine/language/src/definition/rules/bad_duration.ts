/** PL0105: the duration has a missing or unknown unit. */
import type { Rule } from "./Rule.ts"

export const badDuration: Rule = {
  code: "PL0105",
  slug: "bad_duration",
  severity: "error",
  title: "The duration has a missing or unknown unit",
  why: "In other systems a bare number is milliseconds, seconds or minutes; here every duration names its unit.",
  fix: "Write 500ms, 30s, 5m or 1h30m.",
  wrong: "timeout: 30",
  right: "timeout: 30s",
}
