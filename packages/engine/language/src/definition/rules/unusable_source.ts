/** PL4044: a catalog names a tool source that cannot run the tool. */
import type { Rule } from "./Rule.ts"

export const unusableSource: Rule = {
  code: "PL4044",
  slug: "unusable_source",
  severity: "error",
  title: "A catalog names a tool source that cannot run the tool",
  why: "Calls of the tool would fail: the source does not exist, lists a tool of that name itself, or runs no tools of catalogs.",
  fix: "Name a source that runs tools of catalogs and declare its plugin, or remove `source` and `with`.",
  wrong: "tools: [{ name: status, summary: Gives the status., source: htpp }]",
  right:
    'tools: [{ name: status, summary: Gives the status., source: http, with: { url: "https://api.example.com/status" } }]',
}
