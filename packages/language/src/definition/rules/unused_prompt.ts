/** PL2012: the prompt is not used. */
import { promptModes } from "../promptModes.ts"
import { promptsNamed, promptUses } from "../scope/promptUses.ts"
import type { Rule } from "./Rule.ts"

export const unusedPrompt: Rule = {
  code: "PL2012",
  slug: "unused_prompt",
  severity: "warning",
  title: "The prompt is not used",
  why: "No stage and no mode names it.",
  fix: "Name it in a stage's `prompt:` or in a mode's sections, or remove it.",
  wrong: "prompts: { planner: planner.md, old: old.md }",
  right: "prompts: { planner: planner.md }",
  check: ({ analysis, definition, resources }) => {
    const used = new Set(
      Object.values(promptModes(definition, resources)).flatMap(({ sections }) => sections),
    )
    for (const { prompt } of promptUses(analysis.tree)) used.add(prompt.use)
    for (const names of promptsNamed(analysis.tree, resources).values()) {
      for (const name of names) used.add(name)
    }
    return Object.keys(definition.prompts)
      .filter((name) => !used.has(name))
      .map((name) => ({
        code: "PL2012",
        severity: "warning" as const,
        message: `the prompt "${name}" is not used`,
        path: ["prompts", name],
        spot: "key" as const,
        help: "name it in a stage or a mode, or remove it",
      }))
  },
}
