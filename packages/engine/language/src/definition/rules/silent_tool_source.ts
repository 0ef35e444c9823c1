/** PL4013: a tool source cannot list all its tools. */
import type { Rule } from "./Rule.ts"

export const silentToolSource: Rule = {
  code: "PL4013",
  slug: "silent_tool_source",
  severity: "warning",
  title: "A tool source cannot list all its tools",
  why: "Only the listed tools and those that catalogs describe are known; a plan cannot use any other tool of the source.",
  fix: "Start what the source needs, or fix the plugin's config; the message gives the cause.",
  wrong: "use: { plugins: [./offline.ts] }",
  right: "use: { plugins: [./offline.ts], files: [./catalog/offline.yaml] }",
}
