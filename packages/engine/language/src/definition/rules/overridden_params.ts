/** PL4042: a catalog describes other arguments of a tool than its source. */
import type { Rule } from "./Rule.ts"

export const overriddenParams: Rule = {
  code: "PL4042",
  slug: "overridden_params",
  severity: "warning",
  title: "A catalog describes other arguments of a tool than its source",
  why: "The source of a tool decides its `params`: planners see and calls are checked by those, and what the catalog says of them has no effect.",
  fix: "Remove `params` from the catalog's entry, or change them where the source declares the tool.",
  wrong:
    "tools: [{ name: top, summary: Takes the first rows., params: { type: object, properties: { rows: { type: integer } } } }]",
  right: "tools: [{ name: top, summary: Takes the first rows. }]",
}
