/** PL5001: unknown prompt. */
import { hint } from "@planloom/expression/suggestion"
import { promptUses } from "../scope/promptUses.ts"
import type { Rule } from "./Rule.ts"

export const unknownPrompt: Rule = {
  code: "PL5001",
  slug: "unknown_prompt",
  severity: "error",
  title: "Unknown prompt",
  why: "The stage's model would receive no instructions.",
  fix: "Use the name that the message suggests, or declare the prompt's file under `prompts:`.",
  wrong: "prompt: planer",
  right: "prompt: planner",
  check: ({ analysis, definition }) => {
    const known = Object.keys(definition.prompts)
    return promptUses(analysis.tree).flatMap(({ path, prompt: { use } }) =>
      use === "" || known.includes(use)
        ? []
        : [
            {
              code: "PL5001",
              message: `there is no prompt "${use}"`,
              path: [...path, "use"],
              help:
                hint(use, known, "there are") ??
                `declare its file: prompts: { ${use}: prompts/${use}.md }`,
            },
          ],
    )
  },
}
