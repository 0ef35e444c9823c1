/** PL4050: the tool of a document may change something. */
import type { Rule } from "./Rule.ts"

export const writingDocument: Rule = {
  code: "PL4050",
  slug: "writing_document",
  severity: "error",
  title: "The tool of a document does not only read",
  why: "Each stage that reads the document calls its tool, also when it is retried.",
  fix: "Name a tool with `effect: read` or `effect: none`; if the tool only reads, say so in a catalog or where its source is declared.",
  wrong: "documents: { guide: { tool: notes.append } }",
  right: "documents: { guide: { tool: notes.read } }",
  check: ({ definition, resources }) =>
    Object.entries(definition.documents).flatMap(([name, { tool: id }]) => {
      const tool = resources.tools.find((one) => one.name === id)
      const { effect = "write", needs_approval: asks = false } = tool ?? {}
      if (tool === undefined || (effect !== "write" && !asks)) return []
      return [
        {
          code: "PL4050",
          message: asks
            ? `"${id}" needs an approval, and a document is read without one`
            : `"${id}" may change something`,
          path: ["documents", name, "tool"],
          help: "name a tool that only reads, with effect: read or none",
        },
      ]
    }),
}
