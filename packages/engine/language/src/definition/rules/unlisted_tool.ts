/** PL4047: no source lists the tool now. */
import type { Rule } from "./Rule.ts"

export const unlistedTool: Rule = {
  code: "PL4047",
  slug: "unlisted_tool",
  severity: "warning",
  title: "No source lists the tool now",
  why: "A source says that it may have tools of this name, and its last list has none: the name may be misspelled. A call of a tool that does not exist fails.",
  fix: "Check the name, or let the source read its list again. A catalog entry of this name describes the tool until then.",
  wrong: "with: { tool: github.create_isue }",
  right: "with: { tool: github.create_issue }",
}
