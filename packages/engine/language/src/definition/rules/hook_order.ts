/** PL4029: the order of hooks cannot be kept; found when sections are bound. */
import type { Rule } from "./Rule.ts"

export const hookOrder: Rule = {
  code: "PL4029",
  slug: "hook_order",
  severity: "error",
  title: "The order of hooks cannot be kept",
  why: "Each of the hooks has to run before the next one, and the last one before the first; or a hook names one that does not exist.",
  fix: "Remove one of the hooks, or correct `before`, `after` or `phase` in its plugin.",
  wrong:
    "hooks: [{ use: shorten }, { use: translate }]   # each is declared to run before the other",
  right: "hooks: [{ use: shorten }]",
}
