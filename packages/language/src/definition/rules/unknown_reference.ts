/** PL4025: a file or section names something that does not exist. */
import type { Rule } from "./Rule.ts"

export const unknownReference: Rule = {
  code: "PL4025",
  slug: "unknown_reference",
  severity: "error",
  title: "There is nothing of this name",
  why: "The plugin that reads the file or section would look for it in vain.",
  mend: "Take the name the message suggests, or add the plugin or file that has it.",
  wrong: "tone: { use: frendly }",
  right: "tone: { use: friendly }",
}
