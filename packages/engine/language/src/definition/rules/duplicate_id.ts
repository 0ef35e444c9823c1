/** PL2001: two stages have the same id. */
import type { Rule } from "./Rule.ts"

export const duplicateId: Rule = {
  code: "PL2001",
  slug: "duplicate_id",
  severity: "error",
  title: "Two stages have the same id",
  why: "Expressions, events and reports could not distinguish them.",
  fix: "Give one of them another id, and change the references to it.",
  wrong: "- { id: plan, uses: adapt }\n- { id: plan, uses: cover }",
  right: "- { id: plan, uses: adapt }\n- { id: coverage, uses: cover }",
  check: ({ analysis }) =>
    analysis.tree.all.flatMap((node) => {
      const { id } = node.stage
      if (id === "" || analysis.tree.byId.get(id) === node) return []
      return [
        {
          code: "PL2001",
          message: `another stage is called "${id}" already`,
          path: [...node.path, "id"],
          help: "ids are unique in the whole workflow, also inside blocks",
        },
      ]
    }),
}
