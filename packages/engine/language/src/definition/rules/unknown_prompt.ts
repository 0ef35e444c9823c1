/** PL5001: unknown prompt. */
import { hint } from "@planloom/expression/suggestion"
import { promptUses } from "../scope/uses/promptUses.ts"
import { nearValue, type Fix } from "../Fix.ts"
import { moveUnder } from "../restructure.ts"
import type { Rule } from "./Rule.ts"

/** A prompt written where its name belongs, as the task that it is. */
const inlineTask: Fix = {
  write: (document, path) => moveUnder(document, path.slice(0, -1), "with", "task"),
}

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
              fix: / /.test(use) ? inlineTask : nearValue(use, known),
            },
          ],
    )
  },
}
