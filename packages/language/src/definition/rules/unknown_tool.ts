/** PL4008: unknown tool. */
import { unknownReferences } from "../scope/unknownReferences.ts"
import type { Rule } from "./Rule.ts"

export const unknownTool: Rule = {
  code: "PL4008",
  slug: "unknown_tool",
  severity: "error",
  title: "Unknown tool",
  why: "A plan could not use it, and a call of it would fail.",
  fix: "Use the tool that the message suggests, or add the catalog or plugin that provides it.",
  wrong: "with: { tool: agregate }",
  right: "with: { tool: aggregate }",
  check: ({ definition, known, resources }) => {
    const groups = new Set(resources.tools.map(({ group }) => group))
    return unknownReferences(
      Object.entries(definition.modes).flatMap(([mode, { tools }]) =>
        typeof tools === "string"
          ? []
          : tools
              .map((id, index) => ({ to: "tool", id, at: ["modes", mode, "tools", index] }))
              .filter(({ id }) => id !== "" && !groups.has(id)),
      ),
      known,
      [],
    )
  },
}
