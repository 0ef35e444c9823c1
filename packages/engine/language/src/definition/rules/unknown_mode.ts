/** PL5002: unknown prompt mode. */
import { hint } from "@planloom/expression/suggestion"
import { containsExpression } from "@planloom/expression"
import { modeNames } from "../promptModes.ts"
import { promptUses } from "../scope/uses/promptUses.ts"
import { nearValue } from "../Fix.ts"
import type { Rule } from "./Rule.ts"

export const unknownMode: Rule = {
  code: "PL5002",
  slug: "unknown_mode",
  severity: "error",
  title: "Unknown prompt mode",
  why: "The run would use the mode `full` in its place.",
  fix: "Use the name that the message suggests, or declare the mode under `modes:`.",
  wrong: "prompt: { use: planner, mode: fulll }",
  right: "prompt: { use: planner, mode: full }",
  check: ({ analysis, definition }) => {
    const known = modeNames(definition)
    return promptUses(analysis.tree).flatMap(({ path, prompt: { mode } }) =>
      mode === undefined || mode === "" || containsExpression(mode) || known.includes(mode)
        ? []
        : [
            {
              code: "PL5002",
              message: `there is no mode "${mode}"`,
              path: [...path, "mode"],
              help:
                hint(mode, known, "there are") ??
                `declare it: modes: { ${mode}: { sections: [task] } }`,
              fix: nearValue(mode, known),
            },
          ],
    )
  },
}
