/** PL2012: the prompt is not used. */
import { usedBy } from "@planloom/expression"
import { promptModes } from "../promptModes.ts"
import { promptsNamed, promptUses } from "../scope/uses/promptUses.ts"
import type { Rule } from "./Rule.ts"

export const unusedPrompt: Rule = {
  code: "PL2012",
  slug: "unused_prompt",
  severity: "warning",
  title: "The prompt or document is not used",
  why: "No stage, no mode and no expression names it.",
  fix: "Name it in a stage's `prompt:` or in a mode's sections, or remove it.",
  wrong: "prompts: { planner: planner.md, old: old.md }",
  right: "prompts: { planner: planner.md }",
  check: ({ analysis, definition, examined, resources }) => {
    const used = new Set(
      Object.values(promptModes(definition, resources)).flatMap(({ sections }) => sections),
    )
    for (const { prompt } of promptUses(analysis.tree)) used.add(prompt.use)
    for (const names of promptsNamed(analysis.tree, resources).values()) {
      for (const name of names) used.add(name)
    }
    const read = usedBy(examined.references, "documents")
    const unused = (
      kind: "documents" | "prompts",
      isUsed: (name: string) => boolean,
      help: string,
    ) =>
      Object.keys(definition[kind])
        .filter((name) => !isUsed(name))
        .map((name) => ({
          code: "PL2012",
          severity: "warning" as const,
          message: `the ${kind.slice(0, -1)} "${name}" is not used`,
          path: [kind, name],
          spot: "key" as const,
          help,
        }))
    return [
      ...unused("prompts", (name) => used.has(name), "name it in a stage or a mode, or remove it"),
      ...unused(
        "documents",
        (name) => used.has(name) || read === "all" || read.has(name),
        `read documents.name in a stage, name it in a mode, or remove it`,
      ),
    ]
  },
}
