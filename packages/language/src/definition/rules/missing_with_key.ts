/** PL4006: the stage kind needs a value. */
import type { Rule } from "./Rule.ts"

export const missingWithKey: Rule = {
  code: "PL4006",
  slug: "missing_with_key",
  severity: "error",
  title: "The stage kind needs a value",
  why: "It cannot do its work without.",
  mend: "Add the key the message names.",
  wrong: "uses: respond",
  right: 'uses: respond\nwith: { results: "${{ stages.work.output }}" }',
}
