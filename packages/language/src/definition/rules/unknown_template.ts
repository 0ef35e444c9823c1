/** PL4009: unknown plan template. */
import type { Rule } from "./Rule.ts"

export const unknownTemplate: Rule = {
  code: "PL4009",
  slug: "unknown_template",
  severity: "error",
  title: "Unknown plan template",
  why: "The stage would have no plan to adapt.",
  fix: "Use the template that the message suggests, or add its file under `use: { files: [...] }`.",
  wrong: "with: { template: analisys }",
  right: "with: { template: analysis }",
}
