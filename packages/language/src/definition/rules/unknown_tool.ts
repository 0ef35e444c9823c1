/** PL4008: unknown tool. */
import { hint } from "@planloom/expression/suggestion"
import { namedIn } from "../scope/namedIn.ts"
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
  check: ({ analysis, definition, resources }) => {
    const known = resources.tools.map(({ name }) => name)
    const modes = Object.entries(definition.modes).flatMap(([mode, { tools }]) =>
      typeof tools === "string"
        ? []
        : tools.map((name, index) => ({ name, path: ["modes", mode, "tools", index] })),
    )
    return [...namedIn(analysis.tree, resources, "toolsOf"), ...modes]
      .filter(({ name }) => name !== "" && !known.includes(name))
      .map(({ name, path }) => ({
        code: "PL4008",
        message: `there is no tool "${name}"`,
        path,
        help:
          hint(name, known, "there are") ?? "no catalog and no plugin of this workflow has tools",
      }))
  },
}
