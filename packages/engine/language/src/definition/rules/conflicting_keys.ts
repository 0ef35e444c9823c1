/** PL0110: two keys contradict each other. */
import { TASK, TOOLS } from "../promptModes.ts"
import type { Rule } from "./Rule.ts"

export const conflictingKeys: Rule = {
  code: "PL0110",
  slug: "conflicting_keys",
  severity: "error",
  title: "Two keys contradict each other",
  why: "Only one of them could apply.",
  fix: "Keep the one you mean.",
  wrong: "- id: plan\n  uses: adapt\n  stages: []",
  right: "- id: plan\n  uses: adapt",
  // A section of a mode is one of them.
  check: ({ definition: { documents, prompts } }) =>
    Object.keys(documents)
      .filter((name) => Object.hasOwn(prompts, name) || name === TASK || name === TOOLS)
      .map((name) => ({
        code: "PL0110",
        message: Object.hasOwn(prompts, name)
          ? `"${name}" is a prompt and a document`
          : `a document cannot be named "${name}": modes have a section of this name`,
        path: ["documents", name],
        spot: "key" as const,
        help: "give the document another name",
      })),
}
