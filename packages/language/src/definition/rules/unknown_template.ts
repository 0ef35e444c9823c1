/** PL4009: unknown plan template. */
import { hint } from "@planloom/expression/suggestion"
import { namedIn } from "../scope/namedIn.ts"
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
  check: ({ analysis, resources }) => {
    const known = resources.templates.map(({ name }) => name)
    return namedIn(analysis.tree, resources, "templatesOf")
      .filter(({ name }) => !known.includes(name))
      .map(({ name, path }) => ({
        code: "PL4009",
        message: `there is no plan template "${name}"`,
        path,
        help: hint(name, known, "there are") ?? "name template files under use: { files: [...] }",
      }))
  },
}
