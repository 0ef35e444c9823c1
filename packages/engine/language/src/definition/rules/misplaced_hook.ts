/** PL4028: the hook cannot be used here; found when sections are bound. */
import type { Rule } from "./Rule.ts"

export const misplacedHook: Rule = {
  code: "PL4028",
  slug: "misplaced_hook",
  severity: "error",
  title: "The hook cannot be used here",
  why: "It belongs to a point of the whole run, which no stage reaches, or its `point` and filters select no call of it, so it would never run.",
  fix: "Move it to the `hooks:` of the workflow, or correct `point` and the filters.",
  wrong: "stages: [{ id: reply, uses: generate, hooks: [{ use: sign_off }] }]",
  right: "hooks: [{ use: sign_off }]",
}
