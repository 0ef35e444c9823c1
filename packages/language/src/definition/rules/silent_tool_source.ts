/** PL4013: a tool source cannot list its tools. */
import type { Rule } from "./Rule.ts"

export const silentToolSource: Rule = {
  code: "PL4013",
  slug: "silent_tool_source",
  severity: "warning",
  title: "A tool source cannot list its tools",
  why: "Only what the catalogs say of its tools is known; a tool that no catalog has cannot be planned with.",
  mend: "Start what the source needs, or mend the plugin's config; the message says what went wrong.",
  wrong: "use: { plugins: [./offline.ts] }",
  right: "use: { plugins: [./offline.ts], files: [./catalog/offline.yaml] }",
}
