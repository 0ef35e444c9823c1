/** PL4008: unknown tool. */
import type { DocumentPath, Mode } from "../Definition.ts"
import { unknownReferences } from "../scope/uses/unknownReferences.ts"
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
    const documents = Object.entries(definition.documents).map(([name, { tool: id }]) => ({
      to: "tool",
      id,
      at: ["documents", name, "tool"],
    }))
    const inModes = Object.entries(definition.modes).flatMap(([mode, { tools }]) =>
      namedTools(tools)
        .map(({ at, id }) => ({ to: "tools", id, at: ["modes", mode, "tools", ...at] }))
        .filter(({ id }) => id !== "" && !groups.has(id)),
    )
    return unknownReferences([...documents.filter(({ id }) => id !== ""), ...inModes], known, [])
  },
}

const namedTools = (
  tools: Mode["tools"],
): ReadonlyArray<{ readonly id: string; readonly at: DocumentPath }> => {
  if (typeof tools === "string") return []
  if (!("offer" in tools)) return tools.map((id, index) => ({ id, at: [index] }))
  const under = (key: "hot" | "offer") =>
    namedTools(tools[key]).map(({ at, id }) => ({ id, at: [key, ...at] }))
  return [...under("offer"), ...under("hot")]
}
