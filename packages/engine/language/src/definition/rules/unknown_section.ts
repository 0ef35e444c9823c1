/** PL5003: unknown prompt section. */
import { hint } from "@planloom/expression/suggestion"
import { TASK, TOOLS } from "../promptModes.ts"
import { nearValue } from "../Fix.ts"
import type { Rule } from "./Rule.ts"

export const unknownSection: Rule = {
  code: "PL5003",
  slug: "unknown_section",
  severity: "error",
  title: "Unknown prompt section",
  why: "The prompt would lack a part.",
  fix: "Use the name that the message suggests: a prompt under `prompts:`, a text under `documents:`, `task`, the prompt of the stage itself, or `tools`, the tools of the workflow.",
  wrong: "modes: { full: { sections: [bse, task] } }",
  right: "modes: { full: { sections: [base, task] } }",
  check: ({ definition, resources }) => {
    const known = [
      ...new Set([
        TASK,
        TOOLS,
        ...Object.keys(definition.prompts),
        ...Object.keys(definition.documents),
        ...resources.sections.keys(),
      ]),
    ]
    return Object.entries(definition.modes).flatMap(([mode, { sections }]) =>
      sections.flatMap((section, index) =>
        section === "" || known.includes(section)
          ? []
          : [
              {
                code: "PL5003",
                message: `there is no section "${section}"`,
                path: ["modes", mode, "sections", index],
                help: hint(section, known, "there are"),
                fix: nearValue(section, known),
              },
            ],
      ),
    )
  },
}
