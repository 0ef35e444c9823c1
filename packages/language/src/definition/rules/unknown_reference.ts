/** PL4025: unknown reference. */
import type { Rule } from "./Rule.ts"

export const unknownReference: Rule = {
  code: "PL4025",
  slug: "unknown_reference",
  severity: "error",
  title: "Unknown reference",
  why: "The plugin that reads the file or section would not find it.",
  fix: "Use the name that the message suggests, or add the plugin or file that provides it.",
  wrong: "tone: { use: frendly }",
  right: "tone: { use: friendly }",
}
