/** PL4006: the stage kind requires a value. */
import type { Rule } from "./Rule.ts"

export const missingWithKey: Rule = {
  code: "PL4006",
  slug: "missing_with_key",
  severity: "error",
  title: "The stage kind requires a value",
  why: "The stage cannot run without it.",
  fix: "Add the key that the message names.",
  wrong: "uses: respond",
  right: 'uses: respond\nwith: { results: "${{ stages.work.output }}" }',
}
